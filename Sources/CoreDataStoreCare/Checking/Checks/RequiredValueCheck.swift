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
    table.values.compactMap { value in value.isLacking.map { fault(value, where: $0) } }
      + table.links.compactMap { link in link.isLacking.map { fault(link, where: $0) } }
  }

  /// In a file, where a repair may follow, nothing is required of a row whose `Z_ENT` is outvoted.
  func faults(in table: CheckedTable, of store: CheckedStore) -> [RowFault] {
    let witnesses = store.witnesses(of: table.root)
    return table.values.flatMap { value in
      value.isLacking.map { lacking in
        witnesses.parts(of: lacking, by: own("Z_PK")) { [fault(value, where: $0)] }
      } ?? []
    }
      + table.links.flatMap { link in
        link.isLacking.map { lacking in
          witnesses.parts(of: lacking, by: own("Z_PK")) { [fault(link, where: $0)] }
        } ?? []
      }
  }

  private func fault(_ value: CheckedValue, where condition: SQLFragment) -> RowFault {
    let remedy = value.attribute.storedDefault.map { stored in
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

  private func fault(_ link: CheckedLink, where condition: SQLFragment) -> RowFault {
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

extension CheckedValue {
  fileprivate var isLacking: SQLFragment? {
    guard !attribute.isOptional, !isElement, attribute.derivationExpression == nil else {
      return nil
    }
    return "\(entity.has("t0")) AND \(own(column)) IS NULL"
  }
}

extension CheckedLink {
  fileprivate var isLacking: SQLFragment? {
    isOptional ? nil : "\(holder.has("t0")) AND \(own(column)) IS NULL"
  }
}

extension AttributeSchema {
  /// The default as a column has it; `nil` if there is none, or only a transformer knows.
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
