import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.lang.management.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.zip.*;
import javax.lang.model.element.*;
import javax.tools.*;

/**
 * What javac makes of Java files, as lines of text.
 *
 * <pre>
 * java Judge.java extract ARCHIVE DIRECTORY   unpacks the .java files of an archive
 * java Judge.java trees LIST                  the trees of the files that LIST names, one in a line
 * java Judge.java symbols LIST [OPTION...]    what the names and calls in these files mean
 * </pre>
 *
 * For each file: {@code F path}; for each error {@code E place key}; for each node, parents first, its
 * depth, kind, first byte, byte behind its end and what is special about it. Places count bytes of the
 * text as UTF-8. With {@code symbols}: for each name, selection, call, creation and reference its kind, first
 * byte, byte behind its end, and what it means ({@code T} a class, {@code M} a method with its erased parameters,
 * {@code F} a field, {@code V} a variable, {@code Y} a type parameter, {@code P} a package). The last line is {@code T} and the nanoseconds of CPU that javac's parser took.
 */
public class Judge {
    static final int BATCH = 40;
    static final PrintStream OUT = new PrintStream(
        new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 20), false, StandardCharsets.UTF_8);

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "extract" -> extract(Path.of(args[1]), Path.of(args[2]));
            case "trees" -> trees(Files.readAllLines(Path.of(args[1])));
            case "symbols" -> symbols(Files.readAllLines(Path.of(args[1])), Arrays.asList(args).subList(2, args.length));
            default -> throw new IllegalArgumentException(args[0]);
        }
        OUT.flush();
    }

    static void extract(Path archive, Path directory) throws IOException {
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                if (!entry.getName().endsWith(".java")) continue;
                Path path = directory.resolve(entry.getName());
                Files.createDirectories(path.getParent());
                try (InputStream in = zip.getInputStream(entry)) {
                    Files.copy(in, path, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    static void trees(List<String> paths) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long parsing = 0;
        for (int from = 0; from < paths.size(); from += BATCH) {
            List<String> batch = paths.subList(from, Math.min(from + BATCH, paths.size()));
            DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
            StandardJavaFileManager files = compiler.getStandardFileManager(problems, null, StandardCharsets.UTF_8);
            // Literals that are added up stay what they are.
            List<String> options = List.of("-proc:none", "-XDallowStringFolding=false");
            JavacTask task = (JavacTask) compiler.getTask(
                null, files, problems, options, null, files.getJavaFileObjectsFromStrings(batch));
            long before = threads.getCurrentThreadCpuTime();
            Iterable<? extends CompilationUnitTree> units = task.parse();
            parsing += threads.getCurrentThreadCpuTime() - before;
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : units) {
                int[] bytes = bytes(unit.getSourceFile().getCharContent(true));
                OUT.print("F " + Path.of(unit.getSourceFile().toUri()) + "\n");
                for (Diagnostic<? extends JavaFileObject> problem : problems.getDiagnostics()) {
                    boolean here = unit.getSourceFile().equals(problem.getSource());
                    if (here && problem.getKind() == Diagnostic.Kind.ERROR) {
                        OUT.print("E " + place(bytes, problem.getPosition()) + " " + problem.getCode() + "\n");
                    }
                }
                new Printer(unit, positions, bytes).scan(unit, null);
            }
        }
        OUT.print("T " + parsing + "\n");
    }

    static void symbols(List<String> paths, List<String> more) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        StandardJavaFileManager files = compiler.getStandardFileManager(problems, null, StandardCharsets.UTF_8);
        List<String> options = new ArrayList<>(List.of("-proc:none", "-XDallowStringFolding=false", "-Xlint:none"));
        options.addAll(more);
        JavacTask task = (JavacTask) compiler.getTask(
            null, files, problems, options, null, files.getJavaFileObjectsFromStrings(paths));
        long before = threads.getCurrentThreadCpuTime();
        List<CompilationUnitTree> units = new ArrayList<>();
        for (CompilationUnitTree unit : task.parse()) units.add(unit);
        task.analyze();
        long took = threads.getCurrentThreadCpuTime() - before;
        Trees trees = Trees.instance(task);
        for (CompilationUnitTree unit : units) {
            OUT.print("F " + Path.of(unit.getSourceFile().toUri()) + "\n");
            for (Diagnostic<? extends JavaFileObject> problem : problems.getDiagnostics()) {
                boolean here = unit.getSourceFile().equals(problem.getSource());
                if (here && problem.getKind() == Diagnostic.Kind.ERROR) {
                    OUT.print("E " + problem.getPosition() + " " + problem.getCode() + "\n");
                }
            }
            int[] bytes = bytes(unit.getSourceFile().getCharContent(true));
            new Symbols(task, trees, unit, bytes).scan(unit, null);
        }
        OUT.print("T " + took + "\n");
    }

    static class Symbols extends TreePathScanner<Void, Void> {
        final Trees trees;
        final javax.lang.model.util.Types types;
        final javax.lang.model.util.Elements elements;
        final CompilationUnitTree unit;
        final int[] bytes;

        Symbols(JavacTask task, Trees trees, CompilationUnitTree unit, int[] bytes) {
            this.trees = trees;
            this.types = task.getTypes();
            this.elements = task.getElements();
            this.unit = unit;
            this.bytes = bytes;
        }

        @Override
        public Void scan(Tree tree, Void nothing) {
            if (tree != null) {
                boolean wanted = switch (tree.getKind()) {
                    case IDENTIFIER -> !List.of("this", "super").contains(((IdentifierTree) tree).getName().toString());
                    case MEMBER_SELECT ->
                        !List.of("this", "super", "class").contains(((MemberSelectTree) tree).getIdentifier().toString());
                    case METHOD_INVOCATION, NEW_CLASS, MEMBER_REFERENCE -> true;
                    default -> false;
                };
                if (wanted) {
                    TreePath path = getCurrentPath() == null ? new TreePath(unit) : new TreePath(getCurrentPath(), tree);
                    Element element = trees.getElement(path);
                    SourcePositions positions = trees.getSourcePositions();
                    long start = place(bytes, positions.getStartPosition(unit, tree));
                    long end = place(bytes, positions.getEndPosition(unit, tree));
                    OUT.print(tree.getKind() + " " + start + " " + end + " " + describe(element) + "\n");
                }
            }
            return super.scan(tree, nothing);
        }

        String describe(Element element) {
            if (element == null) return "?";
            return switch (element.getKind()) {
                case PACKAGE -> "P " + element;
                case MODULE -> "N " + element;
                case TYPE_PARAMETER -> "Y " + element.getSimpleName();
                case FIELD, ENUM_CONSTANT -> "F " + owner(element.getEnclosingElement()) + "#" + element.getSimpleName();
                case METHOD, CONSTRUCTOR -> {
                    StringJoiner parameters = new StringJoiner(",", "(", ")");
                    for (VariableElement parameter : ((ExecutableElement) element).getParameters()) {
                        parameters.add(types.erasure(parameter.asType()).toString());
                    }
                    yield "M " + owner(element.getEnclosingElement()) + "#" + element.getSimpleName() + parameters;
                }
                default -> element.getKind().isClass() || element.getKind().isInterface()
                    ? "T " + owner(element) : "V " + element.getSimpleName();
            };
        }

        /** The name of a class; of local ones the simple name, of anonymous ones none. */
        String owner(Element element) {
            if (!(element instanceof TypeElement type)) return String.valueOf(element);
            for (Element outer = element; outer instanceof TypeElement t; outer = outer.getEnclosingElement()) {
                if (t.getNestingKind() == NestingKind.LOCAL || t.getNestingKind() == NestingKind.ANONYMOUS) {
                    return "local:" + element.getSimpleName();
                }
            }
            return elements.getBinaryName(type).toString();
        }
    }

    /** For every place of a text how many bytes come before it; null if they are as many. */
    static int[] bytes(CharSequence text) {
        boolean ascii = true;
        for (int i = 0; i < text.length() && ascii; i++) ascii = text.charAt(i) < 0x80;
        if (ascii) return null;
        int[] bytes = new int[text.length() + 1];
        for (int i = 0, at = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            at += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
            bytes[i + 1] = at;
        }
        return bytes;
    }

    static long place(int[] bytes, long place) {
        return bytes == null || place < 0 || place >= bytes.length ? place : bytes[(int) place];
    }

    static class Printer extends TreeScanner<Void, Void> {
        final CompilationUnitTree unit;
        final SourcePositions positions;
        final int[] bytes;
        final StringBuilder line = new StringBuilder();
        int depth = 0;

        Printer(CompilationUnitTree unit, SourcePositions positions, int[] bytes) {
            this.unit = unit;
            this.positions = positions;
            this.bytes = bytes;
        }

        @Override
        public Void scan(Tree tree, Void nothing) {
            if (tree == null) return null;
            line.setLength(0);
            line.append(depth).append(' ').append(tree.getKind()).append(' ');
            line.append(place(bytes, positions.getStartPosition(unit, tree))).append(' ');
            line.append(place(bytes, positions.getEndPosition(unit, tree)));
            String special = special(tree);
            if (special != null) line.append(' ').append(special);
            OUT.append(line.append('\n'));
            depth++;
            super.scan(tree, nothing);
            depth--;
            return null;
        }

        static String special(Tree tree) {
            if (tree instanceof IdentifierTree t) return t.getName().toString();
            if (tree instanceof MemberSelectTree t) return t.getIdentifier().toString();
            if (tree instanceof VariableTree t) return String.valueOf(t.getName());
            if (tree instanceof MethodTree t) return t.getName().toString();
            if (tree instanceof ClassTree t) return t.getSimpleName().toString();
            if (tree instanceof LabeledStatementTree t) return t.getLabel().toString();
            if (tree instanceof BreakTree t) return String.valueOf(t.getLabel());
            if (tree instanceof ContinueTree t) return String.valueOf(t.getLabel());
            if (tree instanceof MemberReferenceTree t) return t.getName().toString();
            if (tree instanceof TypeParameterTree t) return t.getName().toString();
            if (tree instanceof ModifiersTree t) return t.getFlags().toString();
            if (tree instanceof PrimitiveTypeTree t) return t.getPrimitiveTypeKind().toString();
            if (tree instanceof ImportTree t) return t.isStatic() ? "static" : null;
            if (tree instanceof ModuleTree t) return t.getModuleType().toString();
            if (tree instanceof RequiresTree t) return t.isStatic() + " " + t.isTransitive();
            if (tree instanceof CaseTree t) return t.getCaseKind().toString();
            if (tree instanceof BlockTree t) return t.isStatic() ? "static" : null;
            if (tree instanceof LiteralTree t) return value(t.getValue());
            return null;
        }

        static String value(Object value) {
            if (value instanceof Double d) return Long.toHexString(Double.doubleToRawLongBits(d));
            if (value instanceof Float f) return Integer.toHexString(Float.floatToRawIntBits(f));
            if (value instanceof Character c) return Integer.toString(c);
            if (value instanceof String s) return s.length() + " " + s.hashCode();
            return String.valueOf(value);
        }
    }
}
