class A {
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
