// No text becomes SQL but that of a literal.

import CoreData

final class Entry: NSManagedObject {}

func entries(named name: String, in context: NSManagedObjectContext) throws -> [Entry] {
  let condition = "1 = 1"
  let made = SQLQuery(stringLiteral: condition)
  // expected-error@-1 {{cannot convert value of type 'String' to expected argument type 'StaticString'}}
  let joined: SQLQuery = "SELECT 1" + condition
  // expected-error@-1 {{cannot convert value of type 'String' to specified type 'SQLQuery'}}
  print(made, joined)
  return try context.objects(
    of: "SELECT \(objects: Entry.self) FROM \(Entry.self) WHERE x = \(name)",
    as: Entry.self
  )
}
