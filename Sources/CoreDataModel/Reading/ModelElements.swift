import Foundation

/// A version of a model as Xcode 3 kept it, made into the elements of today's XML.
///
/// ```
/// XDPMModel
/// └── _xd_rootPackage ─ XDBucketForClassesstorage ─ XDPMEntity "Recipe"
///     ├── XDBucketForStereotypesstorage           XD_PSK_entityClassName = "Recipe" …
///     └── XDBucketForOwnedAttributesstorage
///         ├── XDPMAttribute "name"                XD_PAttK_attributeType = 700 …
///         └── XDPMRelationship "ingredients"      XD_PRK_destination = the entity "Ingredient" …
/// ```
///
/// An archive names numbers where the XML has words. What the archives contain is known from files of Apple's sample
/// programs; the hashes of two of them are those of stores beside them.
struct ModelElements {
  private let root: ArchivedNode
  /// How many entities and properties were read.
  private var count = 0
  /// The requests of all entities; in XML they belong to the model.
  private var requests: [XMLElementTree] = []
  private(set) var warnings: [String] = []

  /// More than any model has; reading so many takes seconds.
  private static let greatestCount = 50_000

  init(archive: Data) throws(ArchiveError) {
    root = try KeyedArchive(archive).root
    guard root.className == "XDPMModel" else {
      throw ArchiveError("the archive holds \(root.className ?? "a plain value"), not a data model")
    }
  }

  /// The element `model`, as a file of today has it.
  mutating func model() throws(ArchiveError) -> XMLElementTree {
    var model = XMLElementTree("model")
    model["userDefinedModelVersionIdentifier"] = root["_modelVersionIdentifier"].text
    for (name, entity) in root["_xd_rootPackage"].bucket("Classes") {
      model.children.append(try element(ofEntity: entity, name))
    }
    model.children += requests
    model.children += try configurations()
    try root.archive.requireWhole()
    return model
  }

  private mutating func take() throws(ArchiveError) {
    count += 1
    guard count <= Self.greatestCount else {
      throw ArchiveError("the model has more than \(Self.greatestCount) entities and properties")
    }
  }

  private mutating func element(
    ofEntity node: ArchivedNode,
    _ key: String
  ) throws(ArchiveError) -> XMLElementTree {
    guard node.className == "XDPMEntity" else {
      throw ArchiveError("\"\(key)\" is a \(node.className ?? "plain value"), not an entity")
    }
    try take()
    let facts = node.facts
    let name = node["_name"].text ?? key
    var element = XMLElementTree("entity")
    element["name"] = name
    element["representedClassName"] = facts["XD_PSK_entityClassName"]?.text
    element["isAbstract"] = facts["XD_PSK_isAbstract"]?.word
    element["versionHashModifier"] = facts["XD_PSK_versionHashModifier"]?.text
    element["elementID"] = facts["XD_PSK_elementID"]?.text
    for generalization in node["XDBucketForGeneralizationsstorage"].elements {
      if let parent = generalization["_general"]["_name"].text { element["parentEntity"] = parent }
    }
    for (key, property) in node.bucket("OwnedAttributes") {
      element.children.append(try self.element(ofProperty: property, key, of: name))
    }
    for (key, names) in [
      ("XDPMCompoundIndexes", ("compoundIndexes", "compoundIndex", "index")),
      (
        "XDPMUniquenessConstraints", ("uniquenessConstraints", "uniquenessConstraint", "constraint")
      ),
    ] {
      element.children += facts[key].map { Self.lists($0, as: names) } ?? []
    }
    element.children += facts["XD_PSK_userInfo"].map(Self.userInfo) ?? []
    for request in facts["XD_PSK_fetchRequestsArray"]?.elements ?? [] {
      requests.append(Self.element(ofRequest: request))
    }
    return element
  }

  private mutating func element(
    ofProperty node: ArchivedNode,
    _ key: String,
    of entity: String
  ) throws(ArchiveError) -> XMLElementTree {
    try take()
    let facts = node.facts
    let name = node["_name"].text ?? key
    var element: XMLElementTree
    switch node.className {
    case "XDPMAttribute": element = try attribute(facts, name, of: entity)
    case "XDPMRelationship": element = try relationship(facts, name, of: entity)
    case "XDPMFetchedProperty": element = Self.fetchedProperty(facts)
    case let other:
      throw ArchiveError("\(entity).\(name) is of the unknown class \(other ?? "(none)")")
    }
    element["name"] = name
    element["optional"] = facts["XD_PPSK_isOptional"]?.word
    element["transient"] = facts["XD_PPSK_isTransient"]?.word
    element["spotlightIndexingEnabled"] = facts["XD_PPSK_isSpotlightIndexed"]?.word
    element["storedInTruthFile"] = facts["XD_PPSK_isStoredInTruthFile"]?.word
    element["versionHashModifier"] = facts["XD_PPSK_versionHashModifier"]?.text
    element["elementID"] = facts["XD_PPSK_elementID"]?.text
    element.children += facts["XD_PPSK_userInfo"].map(Self.userInfo) ?? []
    return element
  }
}

// MARK: - Properties

extension ModelElements {
  private mutating func attribute(
    _ facts: [String: ArchivedNode],
    _ name: String,
    of entity: String
  ) throws(ArchiveError) -> XMLElementTree {
    let number = facts["XD_PAttK_attributeType"]?.integer ?? 0
    guard let type = UInt(exactly: number).flatMap(AttributeType.init) else {
      throw ArchiveError("\(entity).\(name) has the unknown attribute type \(number)")
    }
    var element = XMLElementTree("attribute")
    if type != .undefined { element["attributeType"] = type.word }
    element["indexed"] = facts["XD_PPSK_isIndexed"]?.word
    element["valueTransformerName"] = facts["XD_PAttK_valueTransformerName"]?.text
    element["regularExpressionString"] = facts["XD_PAttK_regularExpressionString"]?.text
    element["allowsExternalBinaryDataStorage"] =
      facts["XD_PAttK_allowsExternalBinaryDataStorage"]?.word
    let texts = [
      ("defaultValue", "XD_PAttK_defaultValueAsString"), ("minValue", "XD_PAttK_minValueString"),
      ("maxValue", "XD_PAttK_maxValueString"),
    ]
    for (field, key) in texts {
      guard let fact = facts[key], let text = fact.text ?? fact.numeral else { continue }
      if type != .date {
        element["\(field)String"] = text
      } else if let date = Self.seconds(text) {
        // Only the default's name differs.
        let ending = field == "defaultValue" ? "defaultDate" : String(field.prefix(3)) + "Date"
        element["\(ending)TimeInterval"] = "\(date)"
      } else {
        warnings.append(
          "\(entity).\(name): the date \"\(text)\" is not written as 2009-06-30 12:00:00 +0000, and was left out"
        )
      }
    }
    return element
  }

  /// A date as Foundation describes it.
  private static func seconds(_ text: String) -> TimeInterval? {
    guard
      let parts = text.wholeMatch(
        of: /(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) ?([+-]\d{2}):?(\d{2})/
      )?.output
    else { return nil }
    // A text such as 2009-13-41 is told like any other that is not a date.
    let date = try? Date("\(parts.1)T\(parts.2)\(parts.3):\(parts.4)", strategy: .iso8601)
    return date?.timeIntervalSinceReferenceDate
  }

  private func relationship(
    _ facts: [String: ArchivedNode],
    _ name: String,
    of entity: String
  ) throws(ArchiveError) -> XMLElementTree {
    let rule = facts["XD_PRK_deleteRule"]?.integer ?? 1
    let words = ["No Action", "Nullify", "Cascade", "Deny"]
    guard words.indices.contains(rule) else {
      throw ArchiveError("\(entity).\(name) has the unknown delete rule \(rule)")
    }
    var element = XMLElementTree("relationship")
    element["destinationEntity"] = facts["XD_PRK_destination"]?["_name"].text
    element["inverseName"] = facts["XD_PRK_inverseRelationship"]?["_name"].text
    element["deletionRule"] = words[rule]
    element["ordered"] = facts["XD_PRK_ordered"]?.word
    let isToMany = facts["XD_PRK_isToMany"]?.isTrue ?? false
    if isToMany { element["toMany"] = "YES" }
    element["minCount"] = facts["XD_PRK_minCount"]?.numeral
    element["maxCount"] = isToMany ? facts["XD_PRK_maxCount"]?.numeral : "1"
    return element
  }

  /// The request is the fact that is one; no file has shown its key.
  private static func fetchedProperty(_ facts: [String: ArchivedNode]) -> XMLElementTree {
    var element = XMLElementTree("fetchedProperty")
    for (_, fact) in facts.sortedByCodePoints(\.key) where fact.className == "XDPMFetchRequest" {
      element.children = [Self.element(ofRequest: fact)]
    }
    return element
  }

  private static func element(ofRequest node: ArchivedNode) -> XMLElementTree {
    var element = XMLElementTree("fetchRequest")
    element["name"] = node["_name"].text
    element["entity"] = node["_entity"]["_name"].text
    element["predicateString"] = node["_predicateString"].text
    return element
  }
}

// MARK: - Other parts

extension ModelElements {
  private static func userInfo(_ node: ArchivedNode) -> [XMLElementTree] {
    let entries = node.texts.sortedByCodePoints(\.key)
    guard !entries.isEmpty else { return [] }
    var element = XMLElementTree("userInfo")
    for (key, value) in entries {
      var entry = XMLElementTree("entry")
      entry["key"] = key
      entry["value"] = value
      element.children.append(entry)
    }
    return [element]
  }

  /// Lists of properties, each in an element of its own.
  private static func lists(
    _ node: ArchivedNode,
    as names: (whole: String, list: String, member: String)
  ) -> [XMLElementTree] {
    let lists = node.elements.map { list in
      var element = XMLElementTree(names.list)
      for member in list.elements {
        var name = XMLElementTree(names.member)
        name["value"] = member.text ?? member["_name"].text
        element.children.append(name)
      }
      return element
    }
    guard !lists.isEmpty else { return [] }
    var element = XMLElementTree(names.whole)
    element.children = lists
    return [element]
  }

  private func configurations() throws(ArchiveError) -> [XMLElementTree] {
    var elements: [XMLElementTree] = []
    for (name, node) in root["_configurationsByName"].entries {
      var element = XMLElementTree("configuration")
      element["name"] = name
      for member in node.elements {
        var entity = XMLElementTree("memberEntity")
        guard let name = member.text ?? member["_name"].text else {
          throw ArchiveError("the configuration \"\(name)\" has a member that is not an entity")
        }
        entity["name"] = name
        element.children.append(entity)
      }
      elements.append(element)
    }
    return elements
  }
}

// MARK: - Reading nodes

extension ArchivedNode {
  /// The values of an object that Xcode keeps by their names, in several groups.
  fileprivate var facts: [String: ArchivedNode] {
    var facts: [String: ArchivedNode] = [:]
    for (_, stereotype) in bucket("Stereotypes") {
      for (name, property) in stereotype.bucket("OwnedAttributes") {
        let value = property["_default"]
        if !value.isNull { facts[name] = value }
      }
    }
    return facts
  }

  fileprivate func bucket(_ name: String) -> [(key: String, value: ArchivedNode)] {
    self["XDBucketFor\(name)storage"].entries
  }

  /// A flag as XML writes it.
  fileprivate var word: String? { integer.map { $0 == 0 ? "NO" : "YES" } }

  /// A number, or a decimal one, as XML writes it.
  fileprivate var numeral: String? {
    if let integer { return "\(integer)" }
    if let real { return "\(real)" }
    return Decimal(archived: plainFields).map { "\($0)" }
  }
}

extension XMLElementTree {
  fileprivate init(_ name: String) {
    self.init(name: name, attributes: [:], line: 0)
  }

  fileprivate subscript(name: String) -> String? {
    get { attributes[name] }
    set { attributes[name] = newValue }
  }
}
