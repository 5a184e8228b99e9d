import CoreData
import CoreDataModel
import CoreDataModelChanges
import Foundation

/// Property lists, binary and XML.
struct ListTarget: FuzzTarget {
  private let binary: [[UInt8]]
  private let texts: [[UInt8]]
  private let lists: [PropertyListValue]

  init(_ seeds: FuzzSeeds) {
    let everything = PropertyListValue.dictionary([
      "flags": .array([.boolean(true), .boolean(false), .null]),
      "integers": .array(Nasty.integers.map(PropertyListValue.integer)),
      "reals": .array([.real(0.5), .real(.infinity), .unsigned(.max), .date(0)]),
      "texts": .array(Nasty.texts.map(PropertyListValue.text)),
      "data": .data(Data(0..<200)), "references": .array([.uid(0), .uid(70_000)]),
      "nested": .array([.dictionary(["a": .array([.array([.dictionary([:])])])])]),
    ])
    lists = [everything]
    binary =
      [[UInt8](everything.binary)]
      + seeds.data(endingIn: ".mom", ".plist", ".cdm").map { [UInt8]($0) }
      .filter { $0.starts(with: Array("bplist".utf8)) }
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict><key>a</key><array><integer>5</integer><integer>0x1F</integer>
      <real>2.5</real><string>é &amp; b</string><true/><false/><data>AAEC</data>
      <date>2024-05-10T18:14:11Z</date><dict/></array></dict></plist>
      """
    texts = [Array(xml.utf8)]
  }

  func run(_ dice: inout Dice) {
    let bytes: [UInt8] =
      switch dice.number(0..<3) {
      case 0: dice.damaged(dice.one(of: binary), among: binary)
      case 1: [UInt8](dice.changed(dice.one(of: lists)).binary)
      case _: dice.damaged(dice.one(of: texts))
      }
    guard let list = try? PropertyListValue(propertyList: Data(bytes)) else { return }
    // The owner of a list goes through it.
    _ = list.hashValue
    _ = list.binary
    _ = WholeArchive(Data(bytes)) != nil
  }
}

/// Keyed archives, up to Foundation's own reader.
struct ArchiveTarget: FuzzTarget {
  private let archives: [[UInt8]]
  private let lists: [PropertyListValue]
  private let transformer = NSSecureUnarchiveFromDataTransformer()

  init(_ seeds: FuzzSeeds) {
    let values: [Any] = [
      ["a", 1, 2.5, Date(timeIntervalSinceReferenceDate: 0), Data([1, 2])],
      ["colour": "red", "sizes": [1, 2, 3], "nested": ["a": ["b": [true, "x"]]]],
      [URL(string: "https://example.org/a?b#c") as Any, UUID(uuid: UUID().uuid)],
      Set(["a", "b"]), NSNull(), "text",
    ]
    let own = values.compactMap {
      try? NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true)
    }
    let all = own + seeds.data(endingIn: ".mom", ".cdm")
    archives = all.map { [UInt8]($0) }
    lists = all.compactMap { try? PropertyListValue(binary: $0) }
  }

  func run(_ dice: inout Dice) {
    let data = Data(
      dice.once(in: 3)
        ? dice.damaged(dice.one(of: archives), among: archives)
        : [UInt8](dice.changed(dice.one(of: lists)).binary)
    )
    let value = transformer.transformedValue(data)
    if let value { _ = transformer.reverseTransformedValue(value) }
    if let archive = try? KeyedArchive(data) { walk(archive.root, depth: 0) }
  }

  private func walk(_ node: ArchivedNode, depth: Int) {
    guard depth < 12 else { return }
    for element in node.elements.prefix(5) { walk(element, depth: depth + 1) }
    for (_, value) in node.entries.prefix(5) { walk(value, depth: depth + 1) }
    for field in node.fields.prefix(5) { walk(node[field], depth: depth + 1) }
  }
}

/// Compiled models, and the model caches of stores, up to a model that a program could use.
struct ModelTarget: FuzzTarget {
  private let models: [[UInt8]]
  private let lists: [PropertyListValue]
  private let caches: [[UInt8]]

  init(_ seeds: FuzzSeeds) {
    let schema = SeedModel.schema
    let own = [try? ModelArchive.encode(schema.compiled())].compactMap(\.self)
    let all = own + seeds.data(endingIn: ".mom")
    models = all.map { [UInt8]($0) }
    lists = all.compactMap { try? PropertyListValue(binary: $0) }
    caches = [try? ModelCache.encode(schema)].compactMap(\.self).map { [UInt8]($0) }
  }

  func run(_ dice: inout Dice) {
    let schema: ModelSchema?
    switch dice.number(0..<8) {
    case 0: schema = try? ModelCache.decode(Data(dice.damaged(dice.one(of: caches))))
    case 1, 2:
      schema = try? ModelArchive.decode(Data(dice.damaged(dice.one(of: models), among: models)))
    case _: schema = try? ModelArchive.decode(dice.changed(dice.one(of: lists)).binary)
    }
    if let schema { use(schema) }
  }

  /// The uses of every model by the framework and the tool.
  static func use(_ schema: ModelSchema) {
    let problems = schema.problems + schema.formatProblems
    _ = schema.entityVersionHashes
    _ = ModelComparison(from: SeedModel.schema, to: schema)
    guard !problems.contains(where: { $0.severity == .error }) else { return }
    _ = try? ModelArchive.encode(schema)
    let model = NSManagedObjectModel(schema: schema.withoutClasses)
    _ = NSPersistentStoreCoordinator(managedObjectModel: model).layout.entities.count
  }

  private func use(_ schema: ModelSchema) { Self.use(schema) }
}

/// Models as Xcode keeps them.
struct SourceTarget: FuzzTarget {
  private let texts: [[UInt8]]

  init(_ seeds: FuzzSeeds) {
    texts =
      [Array(SeedModel.xml.utf8)]
      + seeds.data(endingIn: "contents").map { [UInt8]($0) }.filter { $0.count < 60_000 }
  }

  func run(_ dice: inout Dice) {
    let text = dice.one(of: texts)
    let bytes =
      dice.once(in: 2) ? dice.damaged(text, among: texts) : dice.respelled(text)
    var reader = SchemaReader(file: "contents")
    let schema = reader.schema(from: Data(bytes))
    if !reader.problems.contains(where: { $0.severity == .error }) { ModelTarget.use(schema) }
  }
}

extension Dice {
  /// A text of XML with other values between some of its quotation marks, or with elements moved.
  mutating func respelled(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<number(1..<5) {
      let quotes = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\"") }
      guard quotes.count > 3 else { return bytes }
      let first = number(0..<(quotes.count / 2)) * 2
      let inside = (quotes[first] + 1)..<quotes[first + 1]
      let other =
        once(in: 3)
        ? bytes[inside] + []
        : ArraySlice(one(of: Nasty.texts).utf8.filter { $0 != UInt8(ascii: "\"") })
      bytes.replaceSubrange(inside, with: once(in: 5) ? other + other + other : other)
    }
    return bytes
  }
}

/// Mapping models, compiled and as Xcode keeps them.
struct MappingTarget: FuzzTarget {
  private let lists: [PropertyListValue]
  private let compiled: [[UInt8]]
  private let texts: [[UInt8]]

  init(_ seeds: FuzzSeeds) {
    let all = [Self.archive.binary] + seeds.data(endingIn: ".cdm")
    lists = all.compactMap { try? PropertyListValue(binary: $0) }
    compiled = all.map { [UInt8]($0) }
    texts = [Array(Self.xml.utf8)] + seeds.data(endingIn: "xcmapping.xml").map { [UInt8]($0) }
  }

  func run(_ dice: inout Dice) {
    let mapping: MappingSchema?
    func schema(ofSource xml: [UInt8]) -> MappingSchema? {
      guard let source = try? MappingSource(xml: Data(xml)) else { return nil }
      guard let models = source.models else { return source.schema }
      return source.schema(from: models.source, to: models.destination)
    }
    switch dice.number(0..<4) {
    case 0: mapping = try? MappingSchema(compiled: Data(dice.damaged(dice.one(of: compiled))))
    case 1: mapping = try? MappingSchema(compiled: dice.changed(dice.one(of: lists)).binary)
    case 2: mapping = schema(ofSource: dice.respelled(dice.one(of: texts)))
    case _: mapping = schema(ofSource: dice.damaged(dice.one(of: texts)))
    }
    _ = try? mapping?.compiled()
    if let mapping { _ = NSMappingModel(schema: mapping).entityMappings }
  }

  private static let archive: PropertyListValue = {
    let names = { (name: String) -> PropertyListValue in
      .dictionary([
        "$classname": .text(name), "$classes": .array([.text(name), .text("NSObject")]),
      ])
    }
    return .dictionary([
      "$version": .integer(100_000), "$archiver": .text("NSKeyedArchiver"),
      "$top": .dictionary(["root": .uid(1)]),
      "$objects": .array([
        .text("$null"), .dictionary(["$class": .uid(2), "NSEntityMappings": .uid(3)]),
        names("NSMappingModel"),
        .dictionary(["$class": .uid(4), "NS.objects": .array([.uid(5)])]), names("NSArray"),
        .dictionary([
          "$class": .uid(6), "NSMappingName": .uid(7), "NSMappingType": .integer(4),
          "NSSourceEntityName": .uid(8), "NSDestinationEntityName": .uid(8),
          "NSSourceEntityVersionHash": .uid(9), "NSAttributeMappings": .uid(10),
          "NSSourceExpression": .uid(13),
        ]),
        names("NSEntityMapping"), .text("NoteToNote"), .text("Note"),
        .data(Data(repeating: 1, count: 32)),
        .dictionary(["$class": .uid(4), "NS.objects": .array([.uid(11)])]),
        .dictionary([
          "$class": .uid(12), "NSDestinationPropertyName": .uid(8), "NSValueExpression": .uid(13),
        ]),
        names("NSPropertyMapping"),
        .dictionary(["$class": .uid(14), "NSConstantValue": .uid(8)]),
        names("NSConstantValueExpression"),
      ]),
    ])
  }()

  private static let xml = """
    <?xml version="1.0"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
    <database><databaseInfo><version>134481920</version><UUID>A</UUID></databaseInfo>
    <object type="XDDEVMAPPINGMODEL" id="z101">
    <attribute name="sourcemodelpath" type="string">A.xcdatamodel</attribute>
    <relationship name="entitymappings" type="0/0" destination="XDDEVENTITYMAPPING" idrefs="z102"/>
    </object>
    <object type="XDDEVENTITYMAPPING" id="z102">
    <attribute name="mappingnumber" type="int16">1</attribute>
    <attribute name="mappingtypename" type="string">Undefined</attribute>
    <attribute name="sourcename" type="string">Note</attribute>
    <attribute name="destinationname" type="string">Note</attribute>
    <relationship name="attributemappings" type="0/0" destination="XDDEVATTRIBUTEMAPPING" \
    idrefs="z103"/>
    </object>
    <object type="XDDEVATTRIBUTEMAPPING" id="z103"><attribute name="name" type="string">title\
    </attribute></object>
    </database>
    """
}
