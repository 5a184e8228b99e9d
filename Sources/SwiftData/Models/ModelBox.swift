import CoreData
import CoreDataCRuntime
import Foundation

/// A model's hold on its row; it ends with the model.
@usableFromInline
final class ModelBox {
  /// The class; it lives as long as the process.
  unowned(unsafe) let kind: ModelType
  /// Where the model is, once that is known.
  private(set) var address: UnsafeMutableRawPointer?
  private(set) var row: ModelRow?
  /// Whether the model is being made of a row, so that initial values do not count.
  var isAdopting: Bool { address == nil && row != nil }

  init(_ kind: ModelType) { self.kind = kind }

  private init(adopting row: ModelRow) {
    kind = row.kind
    self.row = row
  }

  deinit { row?.disconnect(self) }

  /// The row; a model without stored variables gets it here.
  func row(of model: AnyObject) -> ModelRow {
    if let row { return row }
    begin(at: Unmanaged.passUnretained(model).toOpaque(), as: ModelType.of(model))
    return requiredRow
  }

  var requiredRow: ModelRow {
    guard let row else { stop("a property of \(kind.type) was read before the model had one") }
    return row
  }

  /// Makes the row of a new model.
  func begin(at address: UnsafeMutableRawPointer, as kind: ModelType) {
    let row = ModelRow(entity: kind.detachedEntity, insertInto: nil)
    row.becomeTrackable()
    self.address = address
    take(row)
  }

  /// Shows another row from now on.
  func take(_ row: ModelRow) {
    self.row?.letGo()
    self.row?.disconnect(self)
    self.row = row
    row.connect(self)
  }
}

// MARK: - Models of rows

extension ModelBox {
  /// Makes the model of a row.
  static func adopted(_ row: ModelRow) -> AnyObject {
    let box = ModelBox(adopting: row)
    let outside = coredata_adopting_model()
    coredata_set_adopting_model(Unmanaged.passUnretained(box).toOpaque())
    defer { coredata_set_adopting_model(outside) }
    return box.kind.maker.make()
  }

  /// The box of the model that is being made of a row on this thread, if it is of the class or below.
  static func adopting(_ type: any PersistentModel.Type) -> ModelBox? {
    guard let address = coredata_adopting_model() else { return nil }
    let box = Unmanaged<ModelBox>.fromOpaque(address).takeUnretainedValue()
    guard box.isAdopting else { return nil }
    if box.kind.type == type { return box }
    return box.kind.lineage.contains { $0.type == type } ? box : nil
  }

  /// The part of a class is complete, which shows the row; that of the root class comes last.
  func adopt(at address: UnsafeMutableRawPointer, constantsOf owner: ModelType) {
    if owner.parent == nil { self.address = address }
    guard let row else { return }
    row.connect(self)
    guard owner.hasConstants else { return }
    row.hasConstants = true
    for constant in owner.constants {
      guard !row.isRecording, let value = row.value(of: constant.property) else { continue }
      constant.replace(by: value, in: address)
    }
  }
}

// MARK: - Constants

extension ModelBox {
  /// Puts the values of the class's constants into the row.
  func storeConstants() {
    guard let row, let address, !row.hasConstants else { return }
    row.hasConstants = true
    for constant in kind.lineage.flatMap(\.constants) {
      row.setValue(constant.value(in: address), of: constant.property)
    }
  }
}

extension ModelType {
  static func of(_ model: AnyObject) -> ModelType {
    guard let found = Swift.type(of: model) as? any PersistentModel.Type else {
      stop("\(Swift.type(of: model)) is no class with @Model")
    }
    return of(found)
  }
}

/// Makes models of rows.
protocol ModelMaking: AnyObject, Sendable {
  /// The model of the box that is adopting on this thread.
  func make() -> AnyObject
}

/// Makes models of a class with the same backing data each time: looking up its type would take longer than the rest.
///
/// Safety: never changed after it was made.
final class ModelMaker<Model: PersistentModel>: ModelMaking, @unchecked Sendable {
  private let data: any BackingData<Model> = RowBackingData<Model>(box: nil)

  init(_: Model.Type) {}

  func make() -> AnyObject { Model(backingData: data) }
}
