// The options of a model's elements, as the inspector shows them: their names in the file, their labels, their values.

const yes = (label, name, hint) => ({ kind: "flag", label, name, hint });
const text = (label, name, hint) => ({ kind: "text", label, name, hint });
const choice = (label, name, values, hint) => ({ kind: "choice", label, name, values, hint });

export const types = ["Undefined", "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "String", "Boolean", "Date", "Binary", "UUID", "URI", "Transformable", "Composite"];
const numbers = new Set(["Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float"]);
const scalars = new Set([...numbers, "Boolean", "Date"]);

const versioning = [
  text("Hash modifier", "versionHashModifier", "Makes this version differ from another one that is the same"),
  text("Renaming ID", "elementID", "The name in an older version, so that a migration keeps the values"),
];

/** The options of an element; those that its type does not have are left out. */
export function options(element, model) {
  const value = (name) => element.attributes[name];
  switch (element.name) {
    case "model":
      return [text("Version identifier", "userDefinedModelVersionIdentifier")];
    case "entity":
      return [
        choice("Superentity", "parentEntity", [["", "None"], ...model.entities.filter((name) => name !== value("name")).map((name) => [name, name])]),
        yes("Abstract", "isAbstract", "No object is of this entity itself"),
        text("Class", "representedClassName", "NSManagedObject"),
        choice("Code generation", "codeGenerationType", [["", "Manual"], ["class", "Class definition"], ["category", "Category or extension"]]),
        ...versioning,
      ];
    case "attribute":
      return attribute(value, model);
    case "relationship":
      return [
        choice("Destination", "destinationEntity", [["", "None"], ...model.entities.map((name) => [name, name])]),
        { kind: "inverse", label: "Inverse", name: "inverseName" },
        { kind: "many", label: "To many", name: "toMany" },
        yes("Optional", "optional"),
        choice("Delete rule", "deletionRule", ["No Action", "Nullify", "Cascade", "Deny"].map((one) => [one, one])),
        ...(value("toMany") === "YES" ? [yes("Ordered", "ordered"), text("Least number", "minCount"), text("Greatest number", "maxCount")] : []),
        yes("Transient", "transient"),
        yes("Index in Spotlight", "spotlightIndexingEnabled"),
        ...versioning,
      ];
    case "fetchedProperty":
      return [yes("Optional", "optional"), ...versioning];
    case "fetchRequest":
      return [
        choice("Entity", "entity", [["", "None"], ...model.entities.map((name) => [name, name])]),
        text("Predicate", "predicateString"),
        text("Limit", "fetchLimit"),
        text("Batch size", "fetchBatchSize"),
        choice("Result", "resultType", [["", "Objects"], ["1", "Identities"], ["2", "Dictionaries"], ["4", "Count"]]),
        choice("Subentities", "includeSubentities", [["", "Included"], ["NO", "Left out"]]),
        yes("Distinct results", "returnDistinctResults"),
      ];
    case "fetchIndex":
      return [text("Only for", "partialIndexPredicate", "A predicate: only its objects are in the index")];
    default:
      return [];
  }
}

function attribute(value, model) {
  const type = value("attributeType") ?? "Undefined";
  const list = [choice("Type", "attributeType", types.map((one) => [one === "Undefined" ? "" : one, one]))];
  if (type === "Composite") list.push(choice("Composite", "composite", [["", "None"], ...model.composites.map((name) => [name, name])]));
  list.push(yes("Optional", "optional"), yes("Transient", "transient", "It is not stored"));
  if (type === "Date") list.push({ kind: "date", label: "Default", name: "defaultDateTimeInterval" }, { kind: "date", label: "Earliest", name: "minDateTimeInterval" }, { kind: "date", label: "Latest", name: "maxDateTimeInterval" });
  else if (type === "Boolean") list.push(choice("Default", "defaultValueString", [["", "None"], ["YES", "Yes"], ["NO", "No"]]));
  else if (numbers.has(type) || ["String", "UUID", "URI"].includes(type)) list.push(text("Default", "defaultValueString"));
  if (numbers.has(type)) list.push(text("Least", "minValueString"), text("Greatest", "maxValueString"));
  if (type === "String") list.push(text("Shortest", "minValueString", "In characters"), text("Longest", "maxValueString", "In characters"), text("Pattern", "regularExpressionString", "A regular expression that values match"));
  if (scalars.has(type)) list.push({ kind: "scalar", label: "Scalar type in code", name: "usesScalarValueType" });
  if (type === "Binary" || type === "Transformable") list.push(yes("Large data in files", "allowsExternalBinaryDataStorage"));
  if (type === "Transformable") list.push(text("Transformer", "valueTransformerName"), text("Class", "customClassName"));
  list.push({ kind: "derived", label: "Derived from", name: "derivationExpression", hint: "Such as canonical:(title), tags.@count or now()" });
  list.push(yes("Keep in history after deletion", "preserveAfterDeletion"), yes("Encrypt in CloudKit", "allowsCloudEncryption"), yes("Index in Spotlight", "spotlightIndexingEnabled"), ...versioning);
  return list;
}

/** The lists of children that an element may have, with what a new child begins with. */
export function childLists(element, model) {
  const first = model.entities[0] ?? "";
  switch (element.name) {
    case "model":
      return [
        { title: "Entities", child: "entity", start: (name) => ({ name, representedClassName: name, syncable: "YES", codeGenerationType: "class" }), stem: "Entity" },
        { title: "Composites", child: "composite", start: (name) => ({ name }), stem: "Composite" },
        { title: "Configurations", child: "configuration", start: (name) => ({ name }), stem: "Configuration" },
        { title: "Fetch requests", child: "fetchRequest", start: (name) => ({ name, entity: first, predicateString: "TRUEPREDICATE" }), stem: "fetchRequest" },
      ];
    case "entity":
      return [
        { title: "Attributes", child: "attribute", start: (name) => ({ name, optional: "YES", attributeType: "String" }), stem: "attribute" },
        { title: "Relationships", child: "relationship", start: (name) => ({ name, optional: "YES", maxCount: "1", deletionRule: "Nullify", destinationEntity: first }), stem: "relationship" },
        { title: "Fetched properties", child: "fetchedProperty", start: (name) => ({ name, optional: "YES" }), stem: "fetchedProperty",
          inside: ["fetchRequest", { name: "fetchedPropertyFetchRequest", entity: first, predicateString: "TRUEPREDICATE" }] },
        { title: "Indexes", child: "fetchIndex", start: (name) => ({ name }), stem: "byProperty" },
      ];
    case "composite":
      return [{ title: "Elements", child: "attribute", start: (name) => ({ name, optional: "YES", attributeType: "String" }), stem: "attribute" }];
    default:
      return [];
  }
}
