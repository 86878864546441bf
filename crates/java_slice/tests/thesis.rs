//! The thesis's examples (chapter 3, figure 3.2; chapter 10, figures 10.2 and 10.4).

use std::sync::Arc;

use java::names::FileId;
use java_slice::{Criterion, Graph, Program, SourceFile, Wanted, When};

fn sliced(text: &str, line: u32, name: &str, members: Option<When>) -> String {
    let file = SourceFile { path: "Main.java".into(), tree: Arc::new(java::read_text(text)) };
    let program = Program::new(vec![file]);
    let criterion = Criterion {
        file: FileId(0),
        line,
        column: None,
        name: Some(name.to_owned()),
        occurrence: None,
    };
    let sites = program.find(&criterion).expect("the criterion is there");
    let wanted: Vec<Wanted> = sites.into_iter().map(|site| Wanted { site, members }).collect();
    let graph = Graph::build(&program, &wanted);
    let slice = graph.backward(&wanted);
    slice.source(FileId(0)).unwrap_or_default().to_owned()
}

#[test]
fn example_10_1() {
    let text = r#"public class Example1 {
    public static void main(String[] args) {
        int sum = 0;
        int prod = 0;
        int i;
        int n = 10;
        for (i = 0; i < 10; i++) {
            sum += 1;
            prod += n;
        }
        System.out.println(sum);
        System.out.println(prod);
    }
}
"#;
    let expected = r#"public class Example1 {
    public static void main(String[] args) {
        int sum = 0;
        int i;
        for (i = 0; i < 10; i++) {
            sum += 1;
        }
        System.out.println(sum);
    }
}
"#;
    assert_eq!(sliced(text, 11, "sum", Some(When::Before)), expected);
}

const FIGURE_3_1: &str = r#"class A {
    public int x, y;
    public A(int a, int b) {
        x = a;
        y = b;
    }
    public void setX(int a) { x = a; }
}
class Main {
    public static void main(String[] args) {
        A a1 = new A(1, 2);
        a1.y = a1.y + 5;
        a1.setX(3);
        A a2 = a1;
    }
}
"#;

/// After the call the object has the new `x`, and the `y` that it had: the reference and the other
/// member are not lost. The first `x` is not needed any more, which the thesis keeps.
#[test]
fn figure_3_2_after_the_call() {
    let expected = FIGURE_3_1.replace("        x = a;\n", "").replace("        A a2 = a1;\n", "");
    assert_eq!(sliced(FIGURE_3_1, 13, "a1", Some(When::After)), expected);
}

/// Before the call it is the other way round: nothing of what the call does is needed.
#[test]
fn figure_3_2_before_the_call() {
    let expected = FIGURE_3_1.replace("{ x = a; }", "{  }").replace("        A a2 = a1;\n", "");
    assert_eq!(sliced(FIGURE_3_1, 13, "a1", Some(When::Before)), expected);
}

/// One member: nothing of the other one.
#[test]
fn one_member() {
    let found = sliced(FIGURE_3_1, 12, "a1.y", Some(When::Before));
    assert!(found.contains("y = b;") && !found.contains("x = a;"), "{found}");
    assert!(!found.contains("setX"), "{found}");
}

#[test]
fn figure_10_4() {
    let text = r#"public class Example2 {
  public static void main(String[] args){
    A a1 = new A(1);
    B b1 = new B(5.6);
    a1.printA();
    b1.printA();
    b1.updateA(5);
    int z = b1.getA();
    System.out.print(z);
  }
}
class A {
  int a = 0;
  public A(int val) { a = val; }
  public int getA() { return a; }
  public void setA(int val) { a = val; }
  public void printA() {
    System.out.print(a);
  }
  public void updateA(int v) { a++; }
}
class B extends A {
  int b = 5;
  public B(double val){
    super((int) val);
  }
  public void updateB(B b){
    b.setB(10);
  }
  public int getB() { return b; }
  public void setB(int val) { b = val; }
  public void printA() {
    System.out.print("Useless");
  }
  public void updateA(int v) {
    super.updateA(v);
    a += v;
  }
}
"#;
    let found = sliced(text, 8, "b1", Some(When::After));
    for gone in ["a1", "printA", "setA", "updateB", "getB", "setB", "Useless", "println"] {
        assert!(!found.contains(gone), "{gone} in\n{found}");
    }
    for there in [
        "new B(5.6)",
        "b1.updateA(5)",
        "b1.getA()",
        "super((int) val)",
        "a = val",
        "a++",
        "a += v",
        "int b = 5",
    ] {
        assert!(found.contains(there), "{there} not in\n{found}");
    }
}
