//! What calls mean, in small programs: behind `//=` stand the methods that the calls of a line
//! mean, in the order in which the calls end. The programs bring the little of `java.lang` that
//! they need.

use std::sync::Arc;

use java::names::{FileId, World};
use java::tree::Kind;

/// A library as small as can be, one class in a file.
const LIBRARY: &[&str] = &[
    "package java.lang; public class Object { public boolean equals(Object o) { return false; } \
     public String toString() { return null; } protected Object clone() { return null; } public final Class<?> getClass() { return null; } }",
    "package java.lang; public final class String implements Comparable<String> { \
     public int length() { return 0; } public int compareTo(String other) { return 0; } }",
    "package java.lang; public interface Comparable<T> { int compareTo(T other); }",
    "package java.lang; public abstract class Number { public int intValue() { return 0; } }",
    "package java.lang; public final class Integer extends Number { }",
    "package java.lang; public final class Long extends Number { }",
    "package java.lang; public class Enum<E extends Enum<E>> { public int ordinal() { return 0; } }",
    "package java.lang; public class Record { }",
    "package java.lang; public class Class<T> { public T cast(Object o) { return null; } }",
    "package java.lang; public interface Iterable<T> { }",
    "package java.lang; public interface Runnable { void run(); }",
    "package java.util; public interface List<E> extends Iterable<E> { E get(int index); \
     boolean add(E e); void add(int index, E e); \
     static <E> List<E> of(E e) { return null; } static <E> List<E> of(E... es) { return null; } \
     <R> List<R> map(Function<? super E, ? extends R> f); int size(); \
     <R> R collect(Collector<? super E, R> collector); }",
    "package java.util; public interface Function<A, B> { B apply(A a); }",
    "package java.util; public interface Supplier<T> { T get(); }",
    "package java.util; public interface Collector<T, R> { \
     static <T, K> Collector<T, List<K>> by(Function<? super T, ? extends K> key) { return null; } }",
];

#[track_caller]
fn check(program: &str) {
    let mut trees: Vec<_> = LIBRARY.iter().map(|text| Arc::new(java::read_text(text))).collect();
    let tree = Arc::new(java::read_text(program));
    assert_eq!(tree.diagnostics, []);
    trees.push(Arc::clone(&tree));
    let file = FileId(trees.len() as u32 - 1);
    let mut world = World::new(trees);
    world.resolve(file);
    for (index, line) in program.lines().enumerate() {
        let Some((_, expected)) = line.split_once("//=") else { continue };
        let span = tree.source.line(index as u32 + 1).expect("the line is there");
        let mut found = Vec::new();
        for id in tree.ids() {
            let is_call = matches!(
                tree.kind(id),
                Kind::Call { .. } | Kind::New { .. } | Kind::MethodReference { .. }
            );
            if is_call && tree.span(id).end > span.start && tree.span(id).end <= span.end {
                let symbol = world.files[file.0 as usize].symbols[id.index()];
                let text = symbol.map_or("?".to_owned(), |symbol| world.describe(symbol));
                found.push(text.trim_start_matches("M ").to_owned());
            }
        }
        assert_eq!(found.join(" "), expected.trim(), "line {}: {line}", index + 1);
    }
}

#[test]
fn overloads() {
    check(
        r#"
class A {
    void f(int x) {}
    void f(long x) {}
    void f(Object x) {}
    void f(Integer x) {}
    void f(int... xs) {}
    void g(double x) {}
    void g(Object x) {}
    void h(String s, Object... rest) {}
    private static void p(Object o) {}
    void test(byte b, short s, char c, long l, float d, Integer i, String t) {
        f(b); //= A#f(int)
        f(c + s); //= A#f(int)
        f(l); //= A#f(long)
        f(i); //= A#f(java.lang.Integer)
        f(t); //= A#f(java.lang.Object)
        f(d); //= A#f(java.lang.Object)
        f(1, 2); //= A#f(int[])
        f(); //= A#f(int[])
        g(1); //= A#g(double)
        g(i); //= A#g(java.lang.Object)
        h(t); //= A#h(java.lang.String,java.lang.Object[])
        h("a" + 1, 1, t); //= A#h(java.lang.String,java.lang.Object[])
        t.length(); //= java.lang.String#length()
        ("a" + b).compareTo(t); //= java.lang.String#compareTo(java.lang.String)
        this.equals(null); //= java.lang.Object#equals(java.lang.Object)
        new int[0].clone(); //= Array#clone()
    }
}
class B { void test(A a) { a.f(1 > 2 ? 1 : 2); } } //= A#f(int)
"#,
    );
}

#[test]
fn generics_and_lambdas() {
    check(
        r#"
import java.util.*;
class A {
    static <T extends Comparable<T>> T max(T a, T b) { return a; }
    static void run(Runnable r) {}
    static <T> T run(Supplier<T> s) { return s.get(); } //= java.util.Supplier#get()
    void nothing() {}
    void test(List<String> list, List<? extends Number> numbers, Class<Integer> type) {
        list.get(0).length(); //= java.util.List#get(int) java.lang.String#length()
        numbers.get(0).intValue(); //= java.util.List#get(int) java.lang.Number#intValue()
        max("a", "b").length(); //= A#max(java.lang.Comparable,java.lang.Comparable) java.lang.String#length()
        list.map(s -> s.length()).get(0).intValue(); //= java.lang.String#length() java.util.List#map(java.util.Function) java.util.List#get(int) java.lang.Number#intValue()
        list.map(String::length).get(0).intValue(); //= java.lang.String#length() java.util.List#map(java.util.Function) java.util.List#get(int) java.lang.Number#intValue()
        list.collect(Collector.by(s -> s.length())).size(); //= java.lang.String#length() java.util.Collector#by(java.util.Function) java.util.List#collect(java.util.Collector) java.util.List#size()
        List.of("a"); //= java.util.List#of(java.lang.Object)
        List.of(new String[0]); //= java.util.List#of(java.lang.Object[])
        run(() -> nothing()); //= A#nothing() A#run(java.lang.Runnable)
        run(() -> list.size()); //= java.util.List#size() A#run(java.util.Supplier)
        run(() -> { return "a"; }).length(); //= A#run(java.util.Supplier) java.lang.String#length()
        type.cast(null).intValue(); //= java.lang.Class#cast(java.lang.Object) java.lang.Number#intValue()
        var x = list.get(0);
        x.length(); //= java.lang.String#length()
        for (var s : list) s.length(); //= java.lang.String#length()
        Object o = list;
        if (o instanceof String s && s.length() > 1) return; //= java.lang.String#length()
    }
}
"#,
    );
}

#[test]
fn classes_in_classes() {
    check(
        r#"
class Outer<K> {
    K key;
    void f() {}
    class Inner {
        K value;
        void f(int x) {}
        void test(Outer<String> o) {
            f(1); //= Outer$Inner#f(int)
            Outer.this.f(); //= Outer#f()
            o.key.length(); //= java.lang.String#length()
            o.new Inner().value.length(); //= Outer$Inner#<init>() java.lang.String#length()
        }
    }
    static class Base { private void p(Object o) {} protected void q() {} }
    void test() {
        int local = 1;
        class Local extends Base {
            int local() { return local; }
            void test() {
                q(); //= Outer$Base#q()
                local(); //= local:Local#local()
            }
        }
        new Local().test(); //= local:Local#<init>() local:Local#test()
        new Base() { void r() { q(); } }.q(); //= Outer$Base#q() Outer$Base#<init>() Outer$Base#q()
    }
}
enum Color {
    RED { void paint() {} };
    void paint() {}
    static void test() {
        Color.RED.paint(); //= Color#paint()
        RED.ordinal(); //= java.lang.Enum#ordinal()
        values()[0].paint(); //= Color#values() Color#paint()
    }
}
record Point(int x, String name) {
    Point { name.length(); } //= java.lang.String#length()
    static void test(Object o) {
        new Point(1, "a").name().length(); //= Point#<init>(int,java.lang.String) Point#name() java.lang.String#length()
        if (o instanceof Point(var x, var name)) name.length(); //= java.lang.String#length()
        switch (o) { case Point p when p.x() > 1 -> p.name(); default -> {} } //= Point#x() Point#name()
    }
}
"#,
    );
}

/// Nothing is known of some classes: what does not depend on them is found all the same.
#[test]
fn unknown_classes() {
    check(
        r#"
import com.example.Thing;
class A extends Missing {
    void f(Thing t) {}
    void test(Thing t, String s) {
        f(t); //= A#f(?)
        t.call(s.length()); //= java.lang.String#length() ?
        s.compareTo(t.name()); //= ? java.lang.String#compareTo(java.lang.String)
    }
}
"#,
    );
}
