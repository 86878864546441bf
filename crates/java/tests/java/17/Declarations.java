// Classes, members, modifiers, annotations and generics in all their shapes.
@Deprecated
package shapes.declarations;

import static java.util.List.*;
import static java.lang.Math.max;
import java.util.Map;
import java.util.function.*;
;

@Deprecated
public class Declarations<X extends Object & Runnable, @Mark Y> extends Object
        implements java.io.Serializable, Comparable<Declarations<?, ?>> {
    int a, b[] = {1, 2,}, c = -1, d /* , */ = - 2, e = -0, f = -0x1F;
    private static final long[] table[] = {{}, {1L, -9223372036854775808L}}, other = {,};
    @Deprecated protected transient volatile int @Mark [] @Mark [] marked, more @Mark [];
    java.util.@Mark List<@Mark String> names;
    @Mark java.util.Map.Entry<? super @Mark Integer, ? extends int[]> entry;
    Map<String, List<Map<String, List<String>>>> nested;
    Outer<String>.Inner<Integer> inner;

    enum Empty {}
    enum Only { A }
    public enum Kind implements Runnable {
        A, @Deprecated B(1) { void f() {} }, C(), D {}, E(2, "x");
        private Kind(int... x) {}
        Kind() {}
        public void run() {}
    }
    enum Trailing { A, B, ; int x; }
    enum NoConstants { ; static int x; }

    record Point(int x, @Deprecated String... ys) implements Runnable {
        static int count;
        @Deprecated public Point { x++; }
        Point(int x) { this(x, "y"); }
        record Nested<T>(T t) {}
    }
    record Nothing() {}

    sealed interface Shape permits Circle, Square {}
    static final class Circle implements Shape {}
    static non-sealed class Square implements Shape {}
    private sealed abstract static class Closed permits Opened {}
    static final class Opened extends Closed {}

    interface Function<A, B> extends Runnable, java.io.Serializable {
        default int f() { return 1; }
        static void g() {}
        private void h() {}
        int[] m(int a[], int[]... b)[];
        int K = 1, L = 2;
        abstract strictfp class Inside {}
    }

    @interface Mark {
        int value() default 1;
        String[] names() default {};
        String[] more() default {"a", "b",};
        Deprecated nested() default @Deprecated;
        Class<?> type() default int[].class;
        int CONSTANT = 3;
        @interface Inner {}
    }
    public @interface Marked {}
    @Deprecated @interface AlsoMarked {}
    @Mark(1) int one;
    @Mark(value = 1 + 2, names = {"x"}, nested = @Deprecated(since = "1")) int two;
    @Mark() int three;
    @java.lang.Deprecated() public static @Mark(4) final int four = 4;

    static { int x; }
    { ; }
    static {}
    ;

    <Q> Declarations(Declarations<X, Y> this) throws Exception, @Mark Error { super(); }
    public <@Mark Q extends Comparable<Q>> Declarations(Q q) { this.<Q>f(); }
    Declarations(int x) { <String>this("x"); }
    Declarations(String x) { <String>super(); }
    class Inner {
        Inner(Declarations Declarations.this) {}
        void f(@Deprecated Inner this, int x) {}
    }
    <T> @Deprecated T late() { return null; }
    public <T> @Deprecated int later() { return 1; }
    void varargs(final String... names) {}
    void varargs(int[][]... names) {}
    native synchronized int f();
    abstract strictfp void g(int a, String[] b);
    int brackets() @Mark [] [] { return null; }
    void thrower() throws java.io.IOException, Error {}
    int var, record, sealed, permits, yield, module, open, when, with, to, requires;
    void contextual() {
        var var = 1;
        record = sealed + permits;
        int when = module, open;
        sealed = 1;
        this.yield = 2;
    }
}

final strictfp class Second {}
interface Third {}
;
