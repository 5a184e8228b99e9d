import CoreDataModel
import Foundation

/// How one transformable attribute is stored.
struct Transformation {
  private let transformer: ValueTransformer?
  private let name: String
  private let place: String

  init(of layout: EntityLayout, at slot: Int) {
    place = "\(layout.name).\(layout.slots[slot].name)"
    name =
      layout.slots[slot].attribute?.valueTransformerName
      ?? NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue
    transformer = ValueTransformer.find(name)
  }

  /// Transformers that read archives work from data to object; all others from object to data.
  private var readsForward: Bool { transformer is NSSecureUnarchiveFromDataTransformer }

  /// The object; nil for data that the transformer cannot read.
  func object(from data: Data) -> AnyObject? {
    guard let transformer else {
      stop("\(place) is stored with the value transformer \(name), which is not registered")
    }
    let value =
      readsForward ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
    return value.map { $0 as AnyObject }
  }

  /// Throws 134030 where there is no such transformer, or it makes no data of the object.
  func data(from object: AnyObject) throws -> Data {
    guard let transformer else {
      let reason = "there is no value transformer named \(name)"
      throw SaveFailure.untransformable(attribute: place, reason: reason).error
    }
    let value =
      readsForward
      ? transformer.reverseTransformedValue(object) : transformer.transformedValue(object)
    if let data = value as? Data { return data }
    let reason = "\(type(of: transformer)) makes no data of the \(type(of: object)) \(object)"
    throw SaveFailure.untransformable(attribute: place, reason: reason).error
  }
}
