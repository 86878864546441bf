// Expressions: operators, casts, lambdas, references, creations, literals.
class Expressions {
    Object operators(int a, int b) {
        a = b = a += b -= a *= b /= a %= b &= a |= b ^= a <<= b >>= a >>>= b;
        x = a + b * c - d / e % f << g >> h >>> i;
        x = a < b == c > d != e <= f == g >= h;
        x = a & b | c ^ d && e || f && g | h;
        x = a ? b : c ? d : e;
        x = a ? b ? c : d : e;
        x = -a + +b - -c + ~d - !e;
        x = - - 1 + -1 - -2L + - 3;
        x = ++a + b++ - --a - b--;
        x = (a) + b - (c) - d;
        x = (a) ? (b) : (c);
        x = a < b & c > d;
        x = f(a < b, c > d);
        x = a instanceof B && c;
        x = (a = b);
        x = ((((a))));
        a[b[c]][d] = e[f]++;
        return a < b ? c : d;
    }

    void casts() {
        x = (int) 'c' + (long) -b + (double) +c;
        x = (A) b;
        x = (A) (b);
        x = (A) !b;
        x = (A[]) b;
        x = (A<B>) +b;
        x = (a.b.C<D>[]) e;
        x = (Runnable & java.io.Serializable) () -> { };
        x = (@Mark A) b;
        x = (A) this;
        x = (A) "b" + (A) null;
        x = (A) new B();
        x = (A) b.c().d;
        x = (int[]) a;
        x = (A) (B) (C) d;
        x = (Function<A, B>) c -> d;
        x = (A) switch (b) { default -> c; };
        x = (a) -> b;
    }

    void lambdas() {
        f(() -> 1, x -> y, (x) -> y, (x, y) -> z, (int x) -> y, (final A x, B... y) -> { });
        f((var x, var y) -> x, (A<B> x, int[] y) -> x, (@Mark A x) -> y);
        x = y -> z -> () -> { return w -> 1; };
        x = a ? b -> 1 : (b, c) -> 2;
        f(x -> { }, y);
    }

    void references() {
        f(A::b, a.b::c, this::d, super::e, A.super::f, A::new, int[]::new, A[]::new, A[][]::new);
        f(List<String>::new, A<B>.C<D>::e, a.B<C>[]::new, A::<B>c, A::<B>new, "x"::y, (a)::b);
        f(new A()::b, a()::b, a[1]::b, A.this::b, List<? extends A>::size);
        f(a < b, c > d);
        f((a)::b, (A<B>::c));
    }

    void creations() {
        x = new A();
        x = new A<>(1, 2);
        x = new a.b.C<D>.E<>(f) { int g; { } void h() { } };
        x = new <String>A<B>();
        x = a.new B();
        x = a.b().new <C>D<E>(f) { };
        x = new int[3];
        x = new int[3][4][];
        x = new A[][] {{a, b}, {}, null,};
        x = new int[] {1}[0];
        x = new int[1].length;
        x = new @Mark A @Mark [3];
        x = new A<?>[3];
        x = new A().b.c();
        x = new A() { }.b();
        new A();
        new A().b();
        new int[3].clone();
    }

    void calls() {
        f();
        this.f();
        super.f();
        A.super.f();
        A.this.f();
        a.b.c.d().e()[1].f();
        a.<B>c();
        A.<B, C>d(e);
        this.<A>b(c);
        super.<A>b();
        a.b().<C>d();
        x = A.class;
        x = a.b.C[].class;
        x = int.class == void.class;
        x = int[][].class;
        x = A.this;
        ((A) b).c();
        (a).b();
        "a".b();
        a = b;
        a++;
        --b;
    }

    class Inner extends Outer.Middle {
        Inner(Outer outer) { outer.super(); }
        Inner(Outer outer, int x) { outer.<String>super(); }
    }

    void literals() {
        f(0, 1, 017, 0x1F, 0b101, 1_000, 0xFFFF_FFFF, 2147483647, -2147483648, 00, 0_7);
        f(0L, 1l, 0x7FL, 0b1L, 017L, -9223372036854775808L);
        f(1.0, 1., .5, 1e3, 1E-3, 1.5e+10, 1d, 1D, 0x1.8p1, 0x.8p0, 0x1p-1074, 1_0.0_1, 0e0, 00.5);
        f(1f, 1.5F, .5f, 1e3f, 0x1.8p1f, 3.4028235e38f, 1.4e-45f, 0f);
        f('a', '\n', '\'', '\\', '\u0041', '\0', '\377', '"', 'é', '\uuu00e9');
        f("", "a", "\"\\\b\s\t\n\f\r\0\12\377", "\u0041\u00e9é€😀\ud83d\ude00", "a" + "b" + 'c');
        f("""
            text
              block \
            joined\s\t
              "quotes" ""\"
            trailing   
            """, """
            end""", """

            	tab
            \"""");
        f(true, false, null);
    }

    int \u0061bc = 1, \u0064\u0065f = abc, café = 2, $x_1 = 3;
    String escaped = \u0022text\u0022;
    char c = \u0027\u0041\u0027;
}
