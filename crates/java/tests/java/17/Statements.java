// Statements, local declarations, patterns, switches.
class Statements {
    void loops(int[] values, Object o) throws Exception {
        for (int q = 0, r[] = null; q < 3; q++, r = null) {}
        for (;;) break;
        for (a = 1, b(); ; ) ;
        for (final String s : List.of("a" + "b")) {}
        for (var v : values) continue;
        for (@Deprecated int v[] : values) {}
        for (Map.Entry<String, List<int[]>> entry : map.entrySet()) {}
        outer: while (true) { inner: for (;;) { break outer; } }
        do x(); while (a >>> 3 >= 1);
        do { } while (a > b >> c);
        if (a) b(); else if (c) d(); else { }
        if (a) ; else ;
        label: { break label; }
    }

    int jumps(Object o) {
        synchronized (this) { return 1; }
        synchronized (a.b) { }
        assert a;
        assert a > 1 : "x" + y;
        throw new Error();
        return (1);
        return;
        ;
    }

    void tries() {
        try (var in = f(); InputStream other = g(); final Reader r = h();) { }
        try (in; this.x) { }
        try (@Deprecated final A a = b) { } catch (final A | b.C e) { } catch (Error e) { } finally { }
        try { } finally { }
    }

    void locals() {
        int i = 1, j[] = new int[3][4][0], k[][] = {{1}, {2}};
        final var v = 1;
        @Deprecated List<? extends A>[] lists = null;
        a.b.C<D>.E<F> g;
        A<B<C<D>>> deep;
        class Local<T> extends A { }
        final class Final { }
        abstract class Abstract { }
        enum Local2 { A }
        interface Local3 { }
        record Local4(int x) { }
        @Deprecated record Local5(int x) { }
        int.class.getName();
        int[] array;
        String[].class.getName();
        this.yield();
    }

    void switches(int a) {
        switch (a) { case 1, 2: case 3: f(); break; default: }
        switch (a) { case 1 -> f(); case 2, 3 -> { } case (4) -> throw x; default -> x++; }
        switch (s) { case "a" + "b": { } case A.B: default: x: y(); }
        switch (a) { }
        int w = switch (a) {
            case 1 -> 2;
            case B -> { yield 3; }
            case 2 -> throw new X();
            case C -> x -> y;
            default -> (x) -> { };
        };
        w = switch (a) { case 1: yield 1; case 2: { yield (2); } default: yield -x; } + 1;
        f(switch (a) { default -> { yield x ? y : z; } });
        g(switch (a) { default: yield ++x; });
        h(switch (a) { default: int yield = 1; yield a; });
    }

    boolean patterns(Object o) {
        if (o instanceof String s && s.length() > 1) return true;
        if (!(o instanceof final String s)) return false;
        if (o instanceof List<?> list || o instanceof int[] array) return true;
        if (o instanceof java.util.Map.Entry<?, ?> entry && entry == null) return true;
        if (o instanceof @Deprecated String s) return true;
        return o instanceof String == o instanceof int[] ^ o instanceof Map.Entry;
    }
}
