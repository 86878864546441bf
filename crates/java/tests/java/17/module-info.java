// All directives of a module.
import java.util.*;

@Deprecated
open module a.b.c {
    requires java.base;
    requires static transitive java.sql;
    requires transitive d.transitive;
    requires transitive;
    exports a.b;
    exports a.b.c to d, e.f;
    opens a.b;
    opens a.b.c to d;
    uses a.b.Service;
    provides a.b.Service with a.b.Impl, a.b.Other;
}

// behind
