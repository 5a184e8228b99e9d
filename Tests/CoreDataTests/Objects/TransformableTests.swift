import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Transformable attributes: objects outside, data inside, and a transformer between them.
@Suite struct TransformableTests {
  private static func model(_ transformer: String?) -> ModelSchema {
    var value = AttributeSchema.attribute("value", .transformable)
    value.valueTransformerName = transformer
    return .model(.entity("Note", [.text("title"), value]))
  }

  @Test(arguments: StoreKind.with(.everyRequest, .everyValue))
  func `the default transformer keeps property lists, addresses and identities`(
    _ kind: StoreKind
  ) throws {
    let stack = try ModelStack(Self.model(nil), kind)
    let date = Date(timeIntervalSinceReferenceDate: 10)
    let uuid = UUID()
    let url = try #require(URL(string: "note:1"))
    let values: [NSObject] = [
      ["a", 1, 2.5, date] as NSArray, ["k": ["x", "y"], "l": date] as NSDictionary,
      NSSet(array: ["x", "y"]), "text" as NSString, 7 as NSNumber, date as NSDate,
      Data([1, 2]) as NSData, url as NSURL, uuid as NSUUID,
    ]
    for value in values {
      let id = try stack.work { context in
        let note = context.new("Note", ["value": value])
        try context.save()
        return note.objectID
      }
      try stack.work { context in
        let read = context.object(with: id).value(forKey: "value") as? NSObject
        #expect(read == value, "\(type(of: value))")
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .everyValue))
  func `a model that names the class of the default transformer is saved and read`(
    _ kind: StoreKind
  ) throws {
    let stack = try ModelStack(Self.model("NSSecureUnarchiveFromDataTransformer"), kind)
    let id = try stack.work { context in
      let note = context.new("Note", ["value": ["a", "b"]])
      try context.save()
      return note.objectID
    }
    try stack.work { context in
      #expect(context.object(with: id).value(forKey: "value") as? [String] == ["a", "b"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .everyValue))
  func `a transformer of a class with secure coding`(_ kind: StoreKind) throws {
    ValueTransformer.setValueTransformer(StrokesTransformer(), forName: .init("Strokes"))
    let stack = try ModelStack(Self.model("Strokes"), kind)
    let id = try stack.work { context in
      let note = context.new("Note", ["value": Strokes([1, 2])])
      try context.save()
      return note.objectID
    }
    try stack.work { context in
      #expect((context.object(with: id).value(forKey: "value") as? Strokes)?.points == [1, 2])
    }
  }

  @Test func `a transformer that returned nil for an object that it does not know failed the save`()
    throws
  {
    ValueTransformer.setValueTransformer(ChoosyTransformer(), forName: .init("Choosy"))
    let stack = try ModelStack(Self.model("Choosy"))
    try stack.work { context in
      let note = context.new("Note", ["value": "a text" as NSString])
      try context.save()
      context.refresh(note, mergeChanges: false)
      #expect(note.value(forKey: "value") == nil)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .everyValue))
  func `a transformer of a Codable value`(_ kind: StoreKind) throws {
    ValueTransformer.setValueTransformer(ColourTransformer(), forName: .init("Colours"))
    let stack = try ModelStack(Self.model("Colours"), kind)
    let id = try stack.work { context in
      let note = context.new("Note", ["value": Colour(red: 1, green: 0.5)])
      try context.save()
      #expect(note.value(forKey: "value") as? Colour == Colour(red: 1, green: 0.5))
      return note.objectID
    }
    try stack.work { context in
      let note = context.object(with: id)
      #expect(note.value(forKey: "value") as? Colour == Colour(red: 1, green: 0.5))
      note.setValue(nil, forKey: "value")
      try context.save()
      #expect(note.value(forKey: "value") == nil)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .everyValue))
  func `a transformer that nobody has registered failed the save; the default one is taken`(
    _ kind: StoreKind
  ) throws {
    for name in ["NobodyRegisteredThis", "NSSecureUnarchiveFromDataTransformerName"] {
      let stack = try ModelStack(Self.model(name), kind)
      let id = try stack.work { context in
        let note = context.new("Note", ["value": ["x", "y"], "title": "kept"])
        try context.save()
        return note.objectID
      }
      try stack.work { context in
        #expect(context.object(with: id).value(forKey: "value") as? [String] == ["x", "y"])
      }
    }
  }

  @Test func `Apple's transformers of archives were to be registered, said the log`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      for name in [
        "NSKeyedUnarchiveFromData", "NSSecureUnarchiveFromDataTransformerName",
        "NSSecureUnarchiveFromData",
      ] {
        let stack = try ModelStack(TransformableTests.model(name), .sqlite)
        try stack.work { context in
          _ = context.new("Note", ["value": ["x"]])
          try context.save()
        }
      }
    }
    #expect(result.says("Note.value names the value transformer 'NSKeyedUnarchiveFromData'"))
    #expect(result.says("transformer 'NSSecureUnarchiveFromDataTransformerName'"))
    #expect(result.says("Name NSSecureUnarchiveFromData in the model"))
    #expect(!result.says("Register it") && !result.says("transformer 'NSSecureUnarchiveFromData'"))
  }

  @Test(arguments: StoreKind.with(.everyRequest, .everyValue))
  func `a transformer that answers nil failed the save; nothing is stored`(
    _ kind: StoreKind
  ) throws {
    ValueTransformer.setValueTransformer(ColourTransformer(), forName: .init("OnlyColours"))
    let stack = try ModelStack(Self.model("OnlyColours"), kind)
    let id = try stack.work { context in
      let note = context.new("Note", ["value": "no colour", "title": "kept"])
      try context.save()
      return note.objectID
    }
    try stack.work { context in
      let note = context.object(with: id)
      #expect(note.value(forKey: "value") == nil && note.textValue("title") == "kept")
      let empty = try context.all("Note", where: "value == nil")
      #expect(empty.count == 1)
    }
  }

  @Test func `a transformer is made by the name of its class, unless it has stored properties`() {
    let plain = ValueTransformer(forName: .init("CoreDataTests.ColourTransformer"))
    #expect(plain is ColourTransformer)
    let colour = plain?.transformedValue(Colour(red: 1, green: 0)) as? Data
    #expect(plain?.reverseTransformedValue(colour) as? Colour == Colour(red: 1, green: 0))
    let strokes = ValueTransformer(forName: .init("CoreDataTests.StrokesTransformer"))
    #expect(strokes is StrokesTransformer)
    #expect(ValueTransformer(forName: .init("CoreDataTests.MarkedTransformer")) == nil)
  }

  @Test(arguments: StoreKind.with(.everyRequest, .everyValue))
  func `a class of a transformer that cannot be made by its name is an error of the save`(
    _ kind: StoreKind
  ) throws {
    let stack = try ModelStack(Self.model("CoreDataTests.MarkedTransformer"), kind)
    try stack.work { context in
      let note = context.new("Note", ["value": "x", "title": "kept"])
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code.rawValue == NSPersistentStoreSaveError)
      let reason = (error as NSError?)?.localizedFailureReason ?? ""
      #expect(reason.contains("Note.value") && reason.contains("register it with"), "\(reason)")
      #expect(note.isInserted && context.hasChanges)
      note.setValue(nil, forKey: "value")
      try context.save()
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .everyValue))
  func `a value that the transformer does not take is an error of the save`(
    _ kind: StoreKind
  ) throws {
    let colour = Colour(red: 1, green: 1)
    let values: [Any] = [
      Inner(), [Inner()], Unnamed(), Strokes.Plain(), colour, ["k": colour], ["k": ["l": colour]],
    ]
    for value in values {
      let stack = try ModelStack(Self.model(nil), kind)
      try stack.work { context in
        let note = context.new("Note", ["value": value])
        #expect(errorCode { try context.save() } == NSPersistentStoreSaveError, "\(value)")
        #expect(note.value(forKey: "value") != nil)
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .everyValue), [nil, "NSKeyedUnarchiveFromData"])
  func `an object of a class with secure coding failed the save without a transformer`(
    _ kind: StoreKind,
    _ transformer: String?
  ) throws {
    let stack = try ModelStack(Self.model(transformer), kind)
    let values: [Any] = [
      Strokes([1, 2]), [Strokes([1]), Strokes([2])], ["k": [Strokes([3]), 7]],
    ]
    for value in values {
      let id = try stack.work { context in
        let note = context.new("Note", ["value": value])
        try context.save()
        return note.objectID
      }
      try stack.work { context in
        let read = context.object(with: id).value(forKey: "value")
        switch value {
        case is Strokes: #expect((read as? Strokes)?.points == [1, 2])
        case is [Strokes]: #expect((read as? [Strokes])?.map(\.points) == [[1], [2]])
        case _:
          let list = (read as? [String: [Any]])?["k"]
          #expect((list?.first as? Strokes)?.points == [3] && list?.last as? Int == 7)
        }
      }
    }
  }

  @Test func `an archive creates objects of only the class that the model names`() throws {
    let transformer = ProgramObjectsTransformer(of: "Strokes")
    let any = ProgramObjectsTransformer(of: nil)
    let strokes = try #require(any.reverseTransformedValue(Strokes([1])))
    #expect((transformer.transformedValue(strokes) as? Strokes)?.points == [1])
    #expect(transformer.reverseTransformedValue(Sticker()) == nil)
    let mark = try #require(any.reverseTransformedValue([Sticker()]))
    #expect((any.transformedValue(mark) as? [Sticker])?.count == 1)
    #expect(transformer.transformedValue(mark) == nil)
    let data = try #require(mark as? Data)
    #expect(NSSecureUnarchiveFromDataTransformer().transformedValue(data) == nil)
  }

  @Test func `an archive with an object of an unexpected class stopped the program`() throws {
    // Strokes have a list of points.
    var builder = ArchiveBuilder()
    let date = builder.object("NSDate", ["NS.time": .real(1)])
    let strokes = builder.object("CoreDataTests.Strokes", ["points": date])
    let archive = builder.data(root: strokes)
    let transformer = ProgramObjectsTransformer(of: nil)
    #expect(transformer.transformedValue(archive) == nil)
    #expect(StrokesTransformer().transformedValue(archive) == nil)
    #expect(WholeArchive(archive) != nil, "it was not refused before")
    let stickers = try #require(transformer.reverseTransformedValue([Sticker()]))
    #expect(StrokesTransformer().transformedValue(stickers) == nil)
  }

  @Test func `an archive of an application names classes without a module`() throws {
    var builder = ArchiveBuilder()
    let list = builder.object("NSArray", ["NS.objects": .array([builder.value(.integer(4))])])
    let strokes = builder.object("Strokes", ["points": list])
    let archive = builder.data(root: strokes)
    let read = ProgramObjectsTransformer(of: nil).transformedValue(archive)
    #expect((read as? Strokes)?.points == [4])
  }

  @Test func `a class that cannot be archived was told of by the save alone`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      var attributes: [AttributeSchema] = []
      let names = ["Strokes", "NSArray", "[String]", "Data", "UIColor", "TransformableTests.Inner"]
      for (number, name) in names.enumerated() {
        var attribute = AttributeSchema.attribute("value\(number)", .transformable)
        attribute.customClassName = name
        attributes.append(attribute)
      }
      var told = EntitySchema.entity("Note", attributes)
      told.className = "UnarchivableNote"
      _ = try ModelStack(.model(told), .memory)
    }
    #expect(result.says("Note.value4 is transformable") && result.says("its class UIColor"))
    #expect(result.says("Note.value5 is transformable"))
    for number in 0..<4 { #expect(!result.says("Note.value\(number) is")) }
  }

  /// A class within a type, which Foundation does not archive.
  final class Inner: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
  }

  @Test func `a change in place is not noticed`() throws {
    let stack = try ModelStack(Self.model(nil))
    try stack.work { context in
      let list = NSMutableArray(array: ["a"])
      let note = context.new("Note", ["value": list])
      try context.save()
      let read = try #require(note.value(forKey: "value") as? NSArray)
      (read as? NSMutableArray)?.add("b")
      list.add("c")
      #expect(!context.hasChanges)
      note.setValue(["a", "b"], forKey: "value")
      #expect(context.hasChanges)
    }
  }

  @Test func `transformers are found by name`() {
    #expect(ValueTransformer(forName: .init("NobodyRegisteredThis")) == nil)
    let secure = ValueTransformer(forName: .secureUnarchiveFromDataTransformerName)
    #expect(secure is NSSecureUnarchiveFromDataTransformer)
    let negate = ValueTransformer(forName: .negateBooleanTransformerName)
    #expect(negate?.transformedValue(true) as? Bool == false)
    #expect(negate?.reverseTransformedValue(true) as? Bool == false)
    #expect(negate.map { type(of: $0).allowsReverseTransformation() } == true)
    #expect(
      ValueTransformer(forName: .isNilTransformerName)?.transformedValue(nil) as? Bool == true
    )
    let isNotNil = ValueTransformer(forName: .isNotNilTransformerName)
    #expect(isNotNil?.transformedValue(nil) as? Bool == false)
    let name = NSValueTransformerName("Mine")
    let mine = ColourTransformer()
    ValueTransformer.setValueTransformer(mine, forName: name)
    #expect(ValueTransformer(forName: name) === mine)
    #expect(ValueTransformer.valueTransformerNames().contains(name))
    ValueTransformer.setValueTransformer(nil, forName: name)
    #expect(ValueTransformer(forName: name) == nil)
  }

  @Test func `an ordinary transformer does not go back unless it says so`() async {
    await #expect(processExitsWith: .failure) {
      _ = ValueTransformer(forName: .isNilTransformerName)?.reverseTransformedValue(nil)
    }
  }
}

// MARK: - Values

/// Safety: never changed after its initializer.
final class Strokes: NSObject, NSSecureCoding, @unchecked Sendable {
  let points: [Int]

  static var supportsSecureCoding: Bool { true }

  init(_ points: [Int]) {
    self.points = points
  }

  init?(coder: NSCoder) {
    let list = coder.decodeObject(of: [NSArray.self, NSNumber.self], forKey: "points")
    guard let points = list as? [Int] else { return nil }
    self.points = points
  }

  func encode(with coder: NSCoder) { coder.encode(points as NSArray, forKey: "points") }
}

extension Strokes {
  /// A class without secure coding.
  final class Plain: NSObject {}
}

private final class Unnamed: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  override init() {}
  init?(coder: NSCoder) {}
  func encode(with coder: NSCoder) {}
}

final class Sticker: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  override init() {}
  init?(coder: NSCoder) {}
  func encode(with coder: NSCoder) {}
}

final class UnarchivableNote: NSManagedObject {}

final class StrokesTransformer: NSSecureUnarchiveFromDataTransformer {
  override class var allowedTopLevelClasses: [AnyClass] {
    super.allowedTopLevelClasses + [Strokes.self]
  }
}

/// A transformer that takes objects of one class, and returns `nil` for others.
final class ChoosyTransformer: NSSecureUnarchiveFromDataTransformer {
  override class var allowedTopLevelClasses: [AnyClass] { [Strokes.self] }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Strokes).flatMap { super.reverseTransformedValue($0) }
  }
}

/// A transformer with an initializer of its own, and without the one of its superclass.
final class MarkedTransformer: ValueTransformer {
  let mark: String

  init(mark: String) {
    self.mark = mark
    super.init()
  }
}

struct Colour: Codable, Hashable, Sendable {
  let red: Double
  let green: Double
}

final class ColourTransformer: ValueTransformer {
  override class func allowsReverseTransformation() -> Bool { true }

  override func transformedValue(_ value: Any?) -> Any? {
    (value as? Colour).flatMap { try? JSONEncoder().encode($0) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).flatMap { try? JSONDecoder().decode(Colour.self, from: $0) }
  }
}
