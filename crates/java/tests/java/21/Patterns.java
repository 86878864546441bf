// What Java 18 to 21 added: patterns in switches, record patterns, guards.
sealed interface Shape permits Circle, Square, Pair {}
record Circle(double radius) implements Shape {}
record Square(double side) implements Shape {}
record Pair<A, B>(A first, B second) implements Shape {}

class Patterns {
    double area(Object o) {
        return switch (o) {
            case null -> 0;
            case Circle c when c.radius() > 1 && !done -> 1;
            case Circle(double r) -> r * r;
            case Square(var side) when side > 2 -> side;
            case Pair<?, ?>(Circle(double a), Pair(var b, final String c)) -> a;
            case Pair(Circle c, Square(double d)) when (c.radius() > d) -> d;
            case final Square s -> s.side();
            case int[] array when array.length > 0 -> array[0];
            case String s when s.equals("x") || s.isEmpty() -> { yield 2; }
            case A.B -> 3;
            case C, D -> 4;
            case java.util.List<?> list -> list.size();
            default -> throw new Error();
        };
    }

    void statements(Object o) {
        switch (o) {
            case String s:
                f();
                break;
            case null, default:
                g();
        }
        switch (o) {
            case null, default -> g();
        }
        switch (o) {
            case Circle(double r) when r > 0 -> f();
            default -> h();
        }
        if (o instanceof Circle(double r) && r > 1) f();
        if (!(o instanceof Pair(Pair(var a, var b), String c))) return;
        if (o instanceof Pair<?, ?>(var a, var b)) g();
        boolean b = o instanceof Circle(var r) ? r > 1 : false;
        String when = "when";
        switch (o) { case String when2 when when2.equals(when) -> f(); default -> {} }
        f(switch (o) { case String s when s.length() > f(x -> 1) -> 1; default -> 2; });
    }
}
