import CoreData
import CoreDataModel
import CoreDataSQL
import Foundation

/// Properties that the model does not allow to be empty, and are.
///
/// Apple's own programs write such rows, in batches and in migrations, and read them without a complaint:
/// only who changes such an object has to give it the value.
struct RequiredValueCheck: ModelCheck {
  func faults(in table: CheckedTable, _ schema: ModelSchema, _ tables: TableMap) -> [RowFault] {
    table.values.compactMap(fault) + table.links.compactMap(fault)
  }

  private func fault(_ value: CheckedValue) -> RowFault? {
    let attribute = value.attribute
    guard !attribute.isOptional, !value.isElement, attribute.derivationExpression == nil else {
      return nil
    }
    let condition: SQLFragment = "\(value.entity.has("t0")) AND \(own(value.column)) IS NULL"
    let remedy = attribute.storedDefault.map { stored in
      Remedy(
        "writes the model's default",
        .values,
        [
          """
          UPDATE \(name: value.entity.tableName) AS \(name: "t0") \
          SET \(column: value.column) = \(stored) WHERE \(condition)
          """
        ]
      )
    }
    return RowFault(.warning, .requiredValue, value.place, where: condition, remedy: remedy) {
      "\($0.rows("has", "have")) no value, which the model requires"
    }
  }

  private func fault(_ link: CheckedLink) -> RowFault? {
    guard !link.isOptional else { return nil }
    let condition: SQLFragment = "\(link.holder.has("t0")) AND \(own(link.column)) IS NULL"
    let destination = link.destination.name
    return RowFault(
      .warning,
      .requiredValue,
      link.place,
      where: condition,
      remedy: .deletion(of: link.holder, where: condition)
    ) { "\($0.rows("leads", "lead")) to no \(destination), which the model requires" }
  }
}

extension AttributeSchema {
  /// The default as a column has it; nil where there is none, or only a transformer knows.
  fileprivate var storedDefault: SQLValue? {
    switch defaultValue {
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .integer(let number): .integer(number)
    case .real(let number), .date(let number): .real(number)
    case .decimal(let number): .text("\(number)")
    case .text(let text), .uri(let text): .text(text)
    case .data(let data) where type == .binaryData && allowsExternalBinaryDataStorage:
      .blob([UInt8](ExternalData.inline(data)))
    case .data(let data): .blob([UInt8](data))
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { .blob([UInt8]($0)) }
    case .archived, nil: nil
    }
  }
}
