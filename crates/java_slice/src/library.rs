//! What code does that is not part of the program, by the names of what is called.
//!
//! Nothing of a library is read. Objects of its classes hold things (one part, whatever they are);
//! what is called on them reads and changes that, gives out anything of it, and calls back whatever
//! objects of the program it can get hold of. Of common methods of the JDK's classes it is known
//! that they do less. A method of the same name in another library that does more is believed to do
//! the same: the names are those whose meaning is a convention.

/// What a call does beyond giving a value that depends on everything that it gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    /// Nothing; it gives out no objects.
    Pure,
    /// Nothing; it gives out something new.
    Fresh,
    /// Nothing; it gives out what the object holds.
    Get,
    /// Nothing; it gives out another way to look at the object.
    View,
    /// The object holds the arguments, too.
    Put,
    /// The object changes; it gives out what it holds.
    Take,
    /// Anything.
    Anything,
}

impl Effect {
    pub(crate) fn writes(self) -> bool {
        matches!(self, Effect::Put | Effect::Take | Effect::Anything)
    }
}

/// What a method does to the object it is called on; `Class.name` if there is none.
pub(crate) fn effect(name: &str) -> Effect {
    if let Some((class, method)) = name.split_once('.') {
        return static_effect(class, method);
    }
    match name {
        "length"
        | "charAt"
        | "substring"
        | "indexOf"
        | "lastIndexOf"
        | "isEmpty"
        | "isBlank"
        | "equals"
        | "equalsIgnoreCase"
        | "hashCode"
        | "toString"
        | "compareTo"
        | "contains"
        | "containsKey"
        | "containsValue"
        | "containsAll"
        | "startsWith"
        | "endsWith"
        | "trim"
        | "strip"
        | "toUpperCase"
        | "toLowerCase"
        | "replace"
        | "replaceAll"
        | "concat"
        | "matches"
        | "size"
        | "intValue"
        | "longValue"
        | "doubleValue"
        | "floatValue"
        | "booleanValue"
        | "charValue"
        | "byteValue"
        | "shortValue"
        | "ordinal"
        | "name"
        | "isPresent"
        | "hasNext"
        | "compareToIgnoreCase"
        | "codePointAt"
        | "repeat"
        | "getName"
        | "getSimpleName"
        | "isInstance"
        | "getAsInt"
        | "getAsLong"
        | "getAsDouble"
        | "println"
        | "print"
        | "printf"
        | "getMessage"
        | "formatted"
        | "capacity"
        | "hasNextInt"
        | "hasNextLine"
        | "getClass"
        | "count"
        | "sum" => Effect::Pure,
        "split" | "toCharArray" | "getBytes" => Effect::Fresh,
        "get" | "getOrDefault" | "getFirst" | "getLast" | "peek" | "peekFirst" | "peekLast"
        | "element" | "first" | "last" | "getKey" | "getValue" | "orElse" | "orElseThrow"
        | "firstKey" | "lastKey" | "getCause" | "elementAt" | "floorKey" | "ceilingKey"
        | "higherKey" | "lowerKey" | "floor" | "ceiling" | "higher" | "lower" => Effect::Get,
        "iterator" | "listIterator" | "stream" | "entrySet" | "keySet" | "values" | "subList"
        | "boxed" | "asDoubleStream" | "parallelStream" | "descendingIterator" => Effect::View,
        "add" | "put" | "push" | "addLast" | "addFirst" | "offer" | "set" | "addAll" | "putAll"
        | "append" | "insert" | "putIfAbsent" | "offerFirst" | "offerLast" => Effect::Put,
        "next" | "pop" | "poll" | "remove" | "removeFirst" | "removeLast" | "pollFirst"
        | "pollLast" | "clear" | "nextInt" | "nextLine" | "nextDouble" | "deleteCharAt"
        | "setCharAt" | "setLength" | "reverse" | "delete" | "previous" | "incrementAndGet"
        | "getAndIncrement" | "addAndGet" | "decrementAndGet" | "getAndSet" | "retainAll"
        | "removeAll" => Effect::Take,
        _ => Effect::Anything,
    }
}

fn static_effect(class: &str, method: &str) -> Effect {
    match class {
        "Math" | "StrictMath" | "Integer" | "Long" | "Double" | "Float" | "Boolean"
        | "Character" | "Byte" | "Short" | "out" | "err" => Effect::Pure,
        "String" => match method {
            "join" | "valueOf" | "format" | "copyValueOf" => Effect::Pure,
            _ => Effect::Anything,
        },
        "System" => match method {
            "currentTimeMillis" | "nanoTime" | "getProperty" | "getenv" | "lineSeparator"
            | "identityHashCode" | "exit" | "gc" => Effect::Pure,
            _ => Effect::Anything,
        },
        "Arrays" => match method {
            "toString" | "equals" | "hashCode" | "deepToString" | "binarySearch" => Effect::Pure,
            _ => Effect::Anything,
        },
        "Objects" => match method {
            "equals" | "hash" | "hashCode" | "toString" | "isNull" | "nonNull" => Effect::Pure,
            _ => Effect::Anything,
        },
        _ => Effect::Anything,
    }
}

/// Whether what a call gets may run in a thread of its own.
pub(crate) fn starts_threads(name: &str) -> bool {
    matches!(
        name,
        "start"
            | "startVirtualThread"
            | "submit"
            | "execute"
            | "invokeAll"
            | "invokeAny"
            | "fork"
            | "schedule"
            | "scheduleAtFixedRate"
            | "scheduleWithFixedDelay"
            | "runAsync"
            | "supplyAsync"
            | "thenApplyAsync"
            | "thenAcceptAsync"
            | "thenRunAsync"
            | "parallelStream"
            | "parallel"
    )
}

/// Whether threads wait for each other by a call.
pub(crate) fn synchronises(name: &str) -> bool {
    matches!(
        name,
        "start"
            | "wait"
            | "notify"
            | "notifyAll"
            | "join"
            | "interrupt"
            | "sleep"
            | "await"
            | "awaitTermination"
            | "shutdown"
            | "signal"
            | "signalAll"
            | "countDown"
            | "arriveAndAwaitAdvance"
            | "acquire"
            | "tryAcquire"
            | "release"
            | "lock"
            | "lockInterruptibly"
            | "tryLock"
            | "unlock"
            | "park"
            | "unpark"
            | "onSpinWait"
            | "exchange"
            | "transfer"
    )
}

/// What makes another function out of one, and does not call it.
pub(crate) fn is_combinator(name: &str) -> bool {
    matches!(
        name,
        "andThen"
            | "compose"
            | "negate"
            | "and"
            | "or"
            | "reversed"
            | "thenComparing"
            | "thenComparingInt"
            | "equals"
            | "hashCode"
            | "toString"
            | "getClass"
    )
}

/// The methods that an interface or class of the JDK asks for; `None` if it is not known.
pub(crate) fn asked_by(class: &str) -> Option<&'static [&'static str]> {
    Some(match class {
        "Object" | "Cloneable" | "Serializable" | "Record" | "Enum" | "RandomAccess" => &[],
        "Runnable" | "Thread" | "TimerTask" => &["run"],
        "Callable" => &["call"],
        "Comparable" => &["compareTo"],
        "Comparator" => &["compare"],
        "Iterable" => &["iterator"],
        "Iterator" => &["hasNext", "next", "remove"],
        "AutoCloseable" | "Closeable" => &["close"],
        "CharSequence" => &["length", "charAt", "subSequence", "toString"],
        "Supplier" => &["get"],
        "Function" | "BiFunction" | "UnaryOperator" | "BinaryOperator" | "IntFunction" => {
            &["apply"]
        }
        "Consumer" | "BiConsumer" | "IntConsumer" => &["accept"],
        "Predicate" | "BiPredicate" | "IntPredicate" => &["test"],
        "IntUnaryOperator" | "IntBinaryOperator" | "ToIntFunction" | "ToIntBiFunction" => {
            &["applyAsInt"]
        }
        "IntSupplier" => &["getAsInt"],
        "BooleanSupplier" => &["getAsBoolean"],
        _ if class.ends_with("Exception") || class.ends_with("Error") || class == "Throwable" => {
            &["getMessage", "getCause", "toString", "getLocalizedMessage", "fillInStackTrace"]
        }
        _ => return None,
    })
}
