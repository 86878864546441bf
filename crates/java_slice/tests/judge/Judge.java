import java.io.*;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.*;
import javax.tools.*;

/** Compiles and runs many programs in one process: what each shows at its probes. */
public class Judge {
    static final String PROBE = """
        package probe;
        import java.lang.reflect.*;
        import java.util.*;
        public class Probe {
          public static StringBuilder log = new StringBuilder(); static int count;
          static boolean busy;
          static synchronized void add(int k, Object v) {
            // Showing may run code of the program that has probes.
            if (busy) return;
            if (++count > 20000) throw new ThreadDeath();
            busy = true;
            log.append(k).append('=');
            try { show(v, new IdentityHashMap<>()); } finally { busy = false; }
            log.append((char) 1);
          }
          public static Integer at(int k, Integer v) { add(k, v); return v; }
          public static Long at(int k, Long v) { add(k, v); return v; }
          public static Double at(int k, Double v) { add(k, v); return v; }
          public static Float at(int k, Float v) { add(k, v); return v; }
          public static Character at(int k, Character v) { add(k, v); return v; }
          public static Boolean at(int k, Boolean v) { add(k, v); return v; }
          public static Byte at(int k, Byte v) { add(k, v); return v; }
          public static Short at(int k, Short v) { add(k, v); return v; }
          public static int at(int k, int v) { add(k, v); return v; }
          public static long at(int k, long v) { add(k, v); return v; }
          public static double at(int k, double v) { add(k, v); return v; }
          public static float at(int k, float v) { add(k, v); return v; }
          public static char at(int k, char v) { add(k, v); return v; }
          public static boolean at(int k, boolean v) { add(k, v); return v; }
          public static byte at(int k, byte v) { add(k, v); return v; }
          public static short at(int k, short v) { add(k, v); return v; }
          public static <T> T at(int k, T v) { add(k, v); return v; }
          static void show(Object v, IdentityHashMap<Object, Integer> seen) {
            if (v == null || v instanceof Number || v instanceof Boolean || v instanceof Character || v instanceof CharSequence) { log.append(v); return; }
            if (v instanceof Enum<?> e) { log.append(e.name()); if (seen.size() > 0) return; }
            Integer known = seen.putIfAbsent(v, seen.size());
            if (known != null) { log.append('#').append(known); return; }
            Class<?> c = v.getClass();
            if (c.isArray()) {
              log.append('[');
              for (int i = 0; i < Array.getLength(v); i++) { show(Array.get(v, i), seen); log.append(','); }
              log.append(']');
              return;
            }
            if (c.isHidden() || c.isSynthetic()) { log.append("fn"); return; }
            if (c.getName().startsWith("java")) {
              if (v instanceof List<?> || v instanceof ArrayDeque<?> || v instanceof SortedSet<?>) { log.append('<'); for (Object o : (Collection<?>) v) { show(o, seen); log.append(','); } log.append('>'); }
              else if (v instanceof SortedMap<?, ?> m) { log.append('{'); m.forEach((a, b) -> { show(a, seen); log.append(':'); show(b, seen); log.append(','); }); log.append('}'); }
              else if (v instanceof Collection<?> m) log.append("size").append(m.size());
              else if (v instanceof Map<?, ?> m) log.append("size").append(m.size());
              else if (v instanceof Optional<?> o) { log.append('?'); show(o.orElse(null), seen); }
              else if (v instanceof NullPointerException) log.append("null pointer"); // The message names variables.
              else if (v instanceof Throwable t) log.append(c.getSimpleName()).append(t.getMessage());
              else log.append(c.getSimpleName());
              return;
            }
            log.append(c.getSimpleName()).append('(');
            if (v instanceof Throwable t) { try { log.append(t.getMessage()); } catch (Throwable e) { log.append("thrown"); } }
            for (Class<?> at = c; at != null && !at.getName().startsWith("java"); at = at.getSuperclass()) {
              Field[] fields = at.getDeclaredFields();
              Arrays.sort(fields, Comparator.comparing(Field::getName));
              for (Field f : fields) {
                if (Modifier.isStatic(f.getModifiers()) || f.isSynthetic()) continue;
                try {
                  f.setAccessible(true);
                  Object o = f.get(v);
                  if (o == null || o instanceof Boolean b && !b || o instanceof Character ch && ch == 0 || o instanceof Number n && n.doubleValue() == 0 && c.getName().indexOf("Atomic") < 0 && n.getClass().getName().startsWith("java.lang.")) continue;
                  log.append(f.getName()).append('='); show(o, seen); log.append(',');
                } catch (IllegalAccessException e) { }
              }
            }
            log.append(')');
          }
        }
        """;

    record Unit(String name, String text) {}

    public static void main(String[] args) throws Exception {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, "UTF-8");
        List<Unit> units = new ArrayList<>();
        int count = Integer.parseInt(line(in));
        for (int i = 0; i < count; i++) {
            String name = line(in);
            byte[] bytes = new byte[Integer.parseInt(line(in))];
            in.readFully(bytes);
            units.add(new Unit(name, new String(bytes, StandardCharsets.UTF_8)));
        }
        Map<String, String> wrong = new LinkedHashMap<>();
        Map<String, byte[]> classes = null;
        List<Unit> good = new ArrayList<>(units);
        good.removeIf(unit -> unit.text.startsWith(SEVERAL));
        for (int round = 0; round < 9 && classes == null; round++) {
            Map<String, String> errors = new LinkedHashMap<>();
            Map<String, byte[]> made = compileUnits(good, errors);
            if (errors.isEmpty()) classes = made;
            wrong.putAll(errors);
            if (System.getenv("JUDGE_LOUD") != null) System.err.println("round " + round + " " + errors);
            good.removeIf(unit -> wrong.containsKey(unit.name));
        }
        PrintStream nothing = new PrintStream(OutputStream.nullOutputStream());
        System.setOut(nothing);
        if (System.getenv("JUDGE_LOUD") == null) System.setErr(nothing);
        for (Unit unit : units) {
            if (unit.text.startsWith(SEVERAL)) {
                out.println(unit.name + "\t" + several(unit).replace("\n", "\\n").replace("\t", " "));
                out.flush();
                continue;
            }
            String result = wrong.containsKey(unit.name) ? "!" + wrong.get(unit.name) : run(unit.name + ".Main", classes);
            out.println(unit.name + "\t" + result.replace("\n", "\\n").replace("\t", " "));
        }
        out.flush();
        Runtime.getRuntime().halt(0);
    }

    static String line(DataInputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int c = in.read(); c != '\n' && c >= 0; c = in.read()) text.append((char) c);
        return text.toString();
    }

    static class Source extends SimpleJavaFileObject {
        final String text, unit;
        Source(String unit, String path, String text) {
            super(URI.create("string:///" + path), Kind.SOURCE);
            this.unit = unit;
            this.text = text;
        }
        public CharSequence getCharContent(boolean ignore) { return text; }
    }

    static Map<String, byte[]> compileUnits(List<Unit> units, Map<String, String> errors) {
        List<Source> sources = new ArrayList<>();
        sources.add(new Source("", "probe/Probe.java", PROBE));
        for (Unit unit : units)
            sources.add(new Source(unit.name, unit.name + "/Main.java", "package " + unit.name + "; " + unit.text));
        return compile(sources, errors);
    }

    static final String SEVERAL = "@FILES ";

    /** A program of several files, which keep their packages: the class to run, then paths and texts. */
    static String several(Unit unit) throws Exception {
        int end = unit.text.indexOf('\n');
        String main = unit.text.substring(SEVERAL.length(), end);
        List<Source> sources = new ArrayList<>();
        sources.add(new Source("", "probe/Probe.java", PROBE));
        for (String part : unit.text.substring(end + 1).split("@@ ")) {
            int line = part.indexOf('\n');
            if (line > 0) sources.add(new Source(part.substring(0, line), part.substring(0, line), part.substring(line + 1)));
        }
        Map<String, String> errors = new TreeMap<>();
        Map<String, byte[]> classes = compile(sources, errors);
        return errors.isEmpty() ? run(main, classes) : "!" + errors;
    }

    static Map<String, byte[]> compile(List<Source> sources, Map<String, String> errors) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Map<String, ByteArrayOutputStream> made = new HashMap<>();
        StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null);
        JavaFileManager files = new ForwardingJavaFileManager<JavaFileManager>(standard) {
            public JavaFileObject getJavaFileForOutput(Location l, String name, JavaFileObject.Kind kind, FileObject sibling) {
                return new SimpleJavaFileObject(URI.create("mem:///" + name.replace('.', '/') + ".class"), kind) {
                    public OutputStream openOutputStream() {
                        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                        made.put(name, bytes);
                        return bytes;
                    }
                };
            }
        };
        DiagnosticListener<JavaFileObject> listener = diagnostic -> {
            if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
                String unit = diagnostic.getSource() instanceof Source source ? source.unit : "";
                String message = diagnostic.getLineNumber() + ": " + diagnostic.getMessage(null);
                errors.putIfAbsent(unit, message);
            }
        };
        List<String> options = List.of("-proc:none", "-nowarn", "-Xmaxerrs", "100000", "-XDcompilePolicy=simple", "-XDshould-stop.ifError=FLOW");
        compiler.getTask(null, files, listener, options, null, sources).call();
        Map<String, byte[]> classes = new HashMap<>();
        made.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
        return classes;
    }

    @SuppressWarnings("removal")
    static String run(String name, Map<String, byte[]> classes) throws Exception {
        ClassLoader loader = new ClassLoader(Judge.class.getClassLoader()) {
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                byte[] bytes = classes.get(name);
                if (bytes == null) throw new ClassNotFoundException(name);
                return defineClass(name, bytes, 0, bytes.length);
            }
        };
        Class<?> probe = loader.loadClass("probe.Probe");
        Thread thread = new Thread(() -> {
            try {
                Class<?> main = loader.loadClass(name);
                var method = main.getDeclaredMethod("main", String[].class);
                method.setAccessible(true);
                method.invoke(null, (Object) new String[0]);
            } catch (Throwable error) {
                // What was shown until then counts.
            }
        });
        thread.setDaemon(true);
        thread.start();
        thread.join(20000);
        if (thread.isAlive()) thread.stop();
        return probe.getDeclaredField("log").get(null).toString();
    }
}
