import CoreDataModel
import Foundation

/// The contents of a file that is read whole.
struct StoreDocument {
  /// The metadata of the file, with the UUID.
  var metadata: [String: Any]
  /// The last key that was given away in each entity tree, or in all under 0.
  var lastKeys: [Int32: Int64]
  var objects: [LooseObject]
}

/// The contents to write into a file.
struct StoreContents {
  /// The metadata of the file, with the UUID.
  var metadata: [String: Any]
  /// The last key that was given away in each entity tree, or in all under 0.
  var lastKeys: [Int32: Int64]
  /// Hands over the objects one after the other, so that they need not be in memory all at once.
  let forEachObject: ((LooseObject) throws -> Void) throws -> Void
}

/// How a store is written down.
protocol StoreFormat: Sendable {
  /// The type of stores that have their files like this.
  static var type: String { get }
  /// Whether all entities share one run of keys.
  static var sharesKeys: Bool { get }

  init()

  /// Throws ``UnkeepableModel`` if the model has parts that the format cannot keep or distinguish.
  func check(_ model: ModelLayout) throws
  func write(
    _ contents: StoreContents,
    in model: ModelLayout,
    to file: inout FileBytes
  ) throws
  func document(from data: Data, in model: ModelLayout) throws -> StoreDocument
  /// The metadata in a file, without its objects.
  func metadata(from data: Data) throws -> [String: Any]
  /// The file with other metadata, its objects as they are.
  func replacingMetadata(in data: Data, by metadata: [String: Any]) throws -> Data
}

/// A part of a model that a format cannot keep, as a sentence.
struct UnkeepableModel: Error {
  let sentence: String

  init(_ sentence: String) {
    self.sentence = sentence
  }

  init(_ error: XMLSyntaxError) {
    self.init("line \(error.line): \(error.message)")
  }
}

/// A content that a file of a format cannot have, whatever its model, as a clause.
struct UnwritableContent: Error {
  let sentence: String

  init(_ sentence: String) {
    self.sentence = sentence
  }

  /// Of metadata some of whose values no property list can have, and of which one can.
  init(metadata: [String: Any], fits: ([String: Any]) -> Bool) {
    let keys = metadata.keys.sorted().filter { key in
      metadata[key].map { !fits([key: $0]) } ?? false
    }
    self.init(
      "no property list can have the value that its metadata would have for \(keys.joined(separator: ", "))"
    )
  }
}

/// A defect of a file, as a clause that goes on from its name.
struct FormatProblem: Error {
  let sentence: String

  init(_ sentence: String) {
    self.sentence = sentence
  }

  init(_ error: XMLSyntaxError) {
    self.init("line \(error.line): \(error.message)")
  }
}
