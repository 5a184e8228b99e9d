#!/usr/bin/env python3
"""Writes a module with the signatures of Apple's Core Data, whose methods stop the program.

    Scripts/apple_core_data.py > CoreData.swift

The declarations are those of Documentation/Parity/Symbols.txt. That list has no superclasses, and lists the members of
nested types with those of the outer type; the tables below have what is missing. A declaration is left out if it
names a type of another of Apple's frameworks, or of Objective-C. Apple marks some classes as Sendable; only identities
are here, so code that compiles against this module depends on none of the other marks.
"""

import pathlib
import re

LIST = pathlib.Path(__file__).resolve().parent.parent / "Documentation/Parity/Symbols.txt"

# Superclasses other than NSObject
SUPERCLASSES = {
    **dict.fromkeys(
        ["NSAttributeDescription", "NSRelationshipDescription", "NSFetchedPropertyDescription",
         "NSExpressionDescription"], "NSPropertyDescription"),
    **dict.fromkeys(["NSDerivedAttributeDescription", "NSCompositeAttributeDescription"], "NSAttributeDescription"),
    **dict.fromkeys(["NSAtomicStore", "NSIncrementalStore"], "NSPersistentStore"),
    "NSPersistentCloudKitContainer": "NSPersistentContainer",
    **dict.fromkeys(
        ["NSFetchRequest", "NSSaveChangesRequest", "NSBatchInsertRequest", "NSBatchUpdateRequest",
         "NSBatchDeleteRequest", "NSPersistentHistoryChangeRequest", "NSAsynchronousFetchRequest",
         "NSPersistentCloudKitContainerEventRequest"], "NSPersistentStoreRequest"),
    **dict.fromkeys(
        ["NSBatchInsertResult", "NSBatchUpdateResult", "NSBatchDeleteResult", "NSPersistentHistoryResult",
         "NSPersistentStoreAsynchronousResult", "NSPersistentCloudKitContainerEventResult"],
        "NSPersistentStoreResult"),
    "NSAsynchronousFetchResult": "NSPersistentStoreAsynchronousResult",
    "NSFetchRequestExpression": "NSExpression",
    **dict.fromkeys(["NSLightweightMigrationStage", "NSCustomMigrationStage"], "NSMigrationStage"),
}

GENERIC = {
    "NSAsynchronousFetchRequest", "NSAsynchronousFetchResult", "NSFetchedResultsController", "NSFetchRequest",
}

CONFORMANCES = {
    "NSManagedObject": ["NSFetchRequestResult"],
    "NSManagedObjectID": ["NSFetchRequestResult", "@unchecked Sendable"],
    "NSPersistentHistoryToken": ["NSSecureCoding"],
}

CODING = [
    "  public static var supportsSecureCoding: Bool { trap() }",
    "  public func encode(with coder: NSCoder) { trap() }",
    "  public required init?(coder: NSCoder) { trap() }",
]

# Nested types with the members that the list has beside those of the outer type
NESTED = {
    "NSAttributeDescription": [("struct AttributeType: Hashable, Sendable", [], r"static let")],
    "NSManagedObjectContext": [
        ("struct ConcurrencyType: Hashable, Sendable", [], None),
        ("enum NotificationKey: String", [], r"case (?!enqueued|immediate)"),
        ("enum ScheduledTaskType", [], r"case (enqueued|immediate)"),
    ],
    "NSPersistentStore": [("struct StoreType: Hashable, Sendable", [], None)],
    "NSPersistentCloudKitContainer": [
        ("enum EventType: Int, Sendable", [], r"case"),
        ("class Event: NSObject",
         [], r"var (endDate|error|identifier|startDate|storeIdentifier|succeeded|type)\b"),
    ],
    "NSPersistentCloudKitContainerEventResult": [("enum ResultType: Int, Sendable", [], r"case")],
}

# Types that are not Foundation's on Linux, and Objective-C's
ABSENT = re.compile(
    r"\b(?:CK[A-Z]\w+|CS[A-Z]\w+|AutoreleasingUnsafeMutablePointer|PersistentModel|NSKeyValueSetMutationKind"
    r"|NSDiffableDataSourceSnapshotReference|observationInfo|setObservationInfo|class func new"
    r"|NSPersistentStoreUbiquitousTransitionType)\b"
    # Objective-C's Swift has both the function and, for the same selector, the property.
    r"|class func defaultDirectoryURL"
)

# What Apple's Foundation has and this one lacks, and names that the list does not have
FOUNDATION = """
@_exported public import Foundation

private func trap() -> Never { fatalError("This module has only the signatures of Apple's Core Data.") }

extension NSPredicate {
  public convenience init(format: String, _ arguments: any CVarArg...) { trap() }
  public convenience init(format: String, argumentArray: [Any]?) { trap() }
}

extension Array: @retroactive CVarArg { public var _cVarArgEncoding: [Int] { trap() } }

open class ValueTransformer: NSObject {
  open class func allowsReverseTransformation() -> Bool { trap() }
  open class func transformedValueClass() -> AnyClass { trap() }
  open func transformedValue(_ value: Any?) -> Any? { trap() }
  open func reverseTransformedValue(_ value: Any?) -> Any? { trap() }
  public convenience init?(forName name: NSValueTransformerName) { trap() }
}

open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {}

public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { trap() }
  public init(_ rawValue: String) { trap() }
}

open class UndoManager: NSObject {}

/// That of Linux sorts by Swift's comparable values only.
open class NSSortDescriptor: NSObject {
  public convenience init(key: String?, ascending: Bool) { trap() }
  public convenience init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) { trap() }
}

extension NSNotification.Name {
  public static var NSPersistentStoreRemoteChange: NSNotification.Name { trap() }
  public static var NSManagedObjectContextDidSave: NSNotification.Name { trap() }
}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
"""


class Type:
    def __init__(self, name, kind):
        self.name, self.kind, self.members = name, kind, []


def read():
    """The types with their members, and the names that are in no type."""
    types, names, current = {}, [], None
    for line in LIST.read_text().splitlines():
        if line.startswith("## "):
            current = None
        elif line.startswith("# ") and line.split()[1] in ("Apple's", "`##"):
            continue
        elif line.startswith("# "):
            name, kind = re.match(r"# (?:† )?(\S+) (.+)", line).groups()
            current = types.setdefault(name, Type(name, kind))
        elif line and not line.startswith("#"):
            (current.members if current else names).append(line.removeprefix("† "))
    return types, names


def body_of_variable(text):
    return "{ get { trap() } set { trap() } }" if "{ get set }" in text else "{ trap() }"


def member(line, opening, inherited, in_extension=False):
    """A member's declaration with a body, or nothing."""
    if ABSENT.search(line) or re.match(r"(struct|enum|class) [A-Z]", line):
        return None
    line = re.sub(r"@\w+ |\b(?:dynamic|convenience|optional|weak) |unowned\(unsafe\) ", "", line)
    word = re.match(r"(?:(?:class|static) )?(\w+)", line).group(1)
    again = "override " if normalized(line) in inherited else ""
    if word == "case":
        return line.replace("case import", "case `import`")
    access = "public" if line.startswith("static") or opening == "public" else opening
    if word in ("var", "let"):
        kept = re.match(r"((?:class |static )?)(?:var|let) (`?\w+`?): ([^{]+)", line)
        shared, name, kind = kept.groups()
        return f"{access} {again}{shared}var {name}: {kind.strip()} {body_of_variable(line)}"
    if word == "subscript":
        return f"{access} {re.sub(r' *{.*', '', line)} {body_of_variable(line)}"
    if word.startswith("init"):
        return f"public {again}{line} {{ trap() }}"
    return f"{access} {again}{line} {{ trap() }}"


def normalized(line):
    """A member without what two declarations of it may differ in."""
    line = re.sub(r"@\w+ |\b(?:dynamic|convenience|optional|weak) |unowned\(unsafe\) | = nil", "", line)
    # The labels count, not the names inside
    if not re.search(r"\b(?:var|let) ", line):
        line = re.sub(r"(\w+) \w+:", r"\1:", line)
    return re.sub(r" \{.*", "", line)


def inherited_members(name, types):
    found = {"init()"}
    while (name := SUPERCLASSES.get(name)) is not None:
        if name in types:
            found |= {normalized(line) for line in types[name].members}
    return found


def declared_class(kind, types):
    name = kind.name
    parents = [SUPERCLASSES.get(name, "NSObject"), *CONFORMANCES.get(name, [])]
    # Of Objective-C's protocols, the type that can be any conforms itself; Swift's would be in the way.
    parameters = "<ResultType>" if name in GENERIC else ""
    lines = [f"open class {name}{parameters}: {', '.join(parents)} {{"]
    left = list(dict.fromkeys(kind.members))
    for head, _, pattern in NESTED.get(name, []):
        own = [line for line in left if pattern and re.match(pattern, line)]
        if "struct" in head:
            own = []
        left = [line for line in left if line not in own]
        opening = "open" if head.startswith("class") else "public"
        lines.append(f"  {'open' if opening == 'open' else 'public'} {head} {{")
        lines += [f"    {text}" for line in own if (text := member(line, opening, set()))]
        lines.append("  }")
    raw = re.compile(r"init\?\(rawValue")
    # Statics of a nested structure are its own
    for head, _, _ in NESTED.get(name, []):
        if not head.startswith("struct"):
            continue
        nested = head.split()[1].rstrip(":")
        own = [line for line in left if re.match(rf"static let \w+: {name}\.{nested}$", line)]
        left = [line for line in left if line not in own]
        lines.append(f"  // {nested}")
        kind.statics = getattr(kind, "statics", []) + [(nested, own)]
    inherited = inherited_members(name, types)
    # An expression of Foundation's has no initializer without an argument.
    if parents[0] != "NSExpression" and not any(line.endswith("init()") for line in left):
        lines.append("  public override init() { trap() }")
    if "NSSecureCoding" in parents:
        lines += CODING
    lines += [
        f"  {text}" for line in left
        if not raw.match(line) and (text := member(line, "open", inherited))
    ]
    lines.append("}")
    for nested, own in getattr(kind, "statics", []):
        lines.append(f"extension {name}.{nested} {{")
        lines += [f"  {member(line, 'public', set())}" for line in own]
        lines.append("}")
    return lines


def declared_structure(kind):
    """A set of options, as all structures of the list are."""
    lines = [f"public struct {kind.name}: OptionSet, Sendable {{", "  public let rawValue: UInt"]
    lines += [f"  {member(line, 'public', set())}" for line in kind.members]
    return [*lines, "}"]


def declared_enumeration(kind):
    raw = next((re.search(r"rawValue: (\w+)", line) for line in kind.members if "rawValue" in line), None)
    lines = [f"public enum {kind.name}: {raw.group(1) if raw else 'UInt'}, Sendable {{"]
    lines += [f"  {line}" for line in kind.members if line.startswith("case")]
    return [*lines, "}"]


def main():
    types, names = read()
    lines = [FOUNDATION]
    for kind in types.values():
        if ABSENT.search(kind.name):
            continue
        if kind.kind == "class":
            lines += declared_class(kind, types)
        elif kind.kind == "structure":
            lines += declared_structure(kind)
        elif kind.kind == "enumeration":
            lines += declared_enumeration(kind)
        elif kind.kind == "protocol":
            lines.append(f"public protocol {kind.name}: NSObjectProtocol {{}}")
        elif kind.name == "NSPersistentStoreAsynchronousFetchResultCompletionBlock":
            lines.append(
                f"public typealias {kind.name} = (NSAsynchronousFetchResult<any NSFetchRequestResult>) -> Void")
        else:
            raise SystemExit(f"{LIST.name} has a {kind.kind}, {kind.name}, which is not expected")
    for line in names:
        if not ABSENT.search(line):
            lines.append(member(line, "public", set()))
    print("\n".join(lines))


main()
