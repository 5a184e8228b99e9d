import CoreData
import ManagedAuthors

class Folder: NSManagedObject {
  @NSManaged var name: String
  @NSManaged var notes: Set<Note>
  @NSManaged var starred: [Note]
}

enum Labels {
  class Tag: NSManagedObject {
    @NSManaged var name: String?
    @NSManaged var notes: Set<Note>?
  }
}

/// A property that the program adds to a class of another module.
extension Author {
  @NSManaged var nickname: String?
  @NSManaged var notes: Set<Note>
}

final class Colour: NSObject {
  let hue: Double

  init(hue: Double) { self.hue = hue }
}

/// Keeps a colour as its hue.
final class ColourTransformer: ValueTransformer {
  override class func allowsReverseTransformation() -> Bool { true }

  override func transformedValue(_ value: Any?) -> Any? {
    (value as? Colour).map { Data("\($0.hue)".utf8) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).flatMap { Double(String(decoding: $0, as: UTF8.self)) }.map(Colour.init)
  }
}
