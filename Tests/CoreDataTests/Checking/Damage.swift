import Foundation
import Testing

@testable import CoreData
@testable import CoreDataStoreCare

/// One way to damage a sound store, the check's report of it, and the result of a repair.
struct Damage: CustomTestStringConvertible, Sendable {
  let statements: [String]
  let check: CheckName
  let place: String
  let sentence: String
  let outcome: Outcome

  enum Outcome: Sendable {
    /// Everything is as it was before the damage.
    case asBefore
    /// The store is sound; the lost values are empty.
    case sound
    /// The former content is unknown.
    case left
  }

  var testDescription: String { "\(place): \(sentence)" }

  init(
    _ check: CheckName,
    _ place: String,
    _ sentence: String,
    _ outcome: Outcome,
    _ statements: String...
  ) {
    self.check = check
    self.place = place
    self.sentence = sentence
    self.outcome = outcome
    self.statements = statements
  }

  static let all = bookkeeping + keys + pairs + values + structure + replaced

  private static let bookkeeping = [
    Damage(
      .entityNumber,
      "Tag",
      "Z_PRIMARYKEY calls it Note, which is another entity's name",
      .asBefore,
      "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Note' WHERE Z_NAME = 'Tag'"
    ),
    Damage(
      .range,
      "ZNOTE",
      "1 row has no version (Z_OPT): changes cannot be saved",
      .sound,
      "UPDATE ZNOTE SET Z_OPT = NULL WHERE Z_PK = 2"
    ),
    Damage(
      .range,
      "ZNOTE",
      "1 row has a negative version (Z_OPT), which no program writes",
      .sound,
      "UPDATE ZNOTE SET Z_OPT = -4 WHERE Z_PK = 2"
    ),
    Damage(
      .lastKey,
      "Note",
      "the last key is said to be 2, and there is a row with the key 8: "
        + "new objects would get keys that are taken",
      .asBefore,
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Note'"
    ),
    Damage(
      .lastKey,
      "Tag",
      "the last key is said to be 0, and there is a row with the key 3: "
        + "new objects would get keys that are taken",
      .asBefore,
      "UPDATE Z_PRIMARYKEY SET Z_MAX = NULL WHERE Z_NAME = 'Tag'"
    ),
    Damage(
      .lastKey,
      "Z_PRIMARYKEY",
      "the last key (Z_MAX) of 1 entity is larger than 4611686018427387903: "
        + "no new object can be saved",
      .asBefore,
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_NAME = 'Bin'"
    ),
    Damage(
      .lastKey,
      "Attachment",
      "the last key is said to be -9, and keys are never negative",
      .sound,
      "DELETE FROM ZATTACHMENT",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = -9 WHERE Z_NAME = 'Attachment'"
    ),
    Damage(
      .range,
      "ZATTACHMENT",
      "1 row has a key (Z_PK) larger than 4611686018427387903: "
        + "nothing new can be saved in the table",
      .asBefore,
      "UPDATE ZATTACHMENT SET Z_PK = 9223372036854775807 WHERE Z_PK = 3"
    ),
    Damage(
      .range,
      "ZATTACHMENT",
      "1 row has a negative key (Z_PK), to which no relationship leads",
      .asBefore,
      "UPDATE ZATTACHMENT SET Z_PK = -5 WHERE Z_PK = 3"
    ),
    Damage(
      .range,
      "ZBIN",
      "1 row has a version (Z_OPT) larger than 4611686018427387903: changes cannot be saved",
      .sound,
      "UPDATE ZBIN SET Z_OPT = 9223372036854775807 WHERE Z_PK = 1"
    ),
    Damage(
      .metadata,
      "Z_METADATA",
      "it has metadata of the version 2, which is not known here: nothing opens the store",
      .left,
      "UPDATE Z_METADATA SET Z_VERSION = 2"
    ),
    Damage(
      .entityNumber,
      "Tag",
      "Z_PRIMARYKEY has no row for it",
      .asBefore,
      "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'"
    ),
    Damage(
      .entityNumber,
      "Checklist",
      "Z_PRIMARYKEY says that its superentity is 9, and the model 4",
      .asBefore,
      "UPDATE Z_PRIMARYKEY SET Z_SUPER = 9 WHERE Z_NAME = 'Checklist'"
    ),
    Damage(
      .entityNumber,
      "Tag",
      "the store gives it the number 60, and the model 6",
      .left,
      "UPDATE Z_PRIMARYKEY SET Z_ENT = 60 WHERE Z_NAME = 'Tag'"
    ),
    Damage(
      .metadata,
      "Z_METADATA",
      "the store's metadata cannot be read",
      .sound,
      "UPDATE Z_METADATA SET Z_PLIST = x'00'"
    ),
    Damage(
      .metadata,
      "Z_METADATA",
      "the store has no UUID",
      .sound,
      "UPDATE Z_METADATA SET Z_UUID = ''"
    ),
    Damage(
      .rowEntity,
      "ZTAG",
      "1 row has a Z_ENT that is no entity of this table, which is for Tag",
      .asBefore,
      "UPDATE ZTAG SET Z_ENT = 77 WHERE Z_PK = 2"
    ),
    Damage(
      .rowEntity,
      "ZNOTE",
      "1 row has a Z_ENT that is no entity of this table, which is for Note, Checklist",
      .left,
      "UPDATE ZNOTE SET Z_ENT = 3 WHERE Z_PK = 5"
    ),
  ]

  private static let keys = [
    Damage(
      .danglingKey,
      "Note.folder",
      "1 row leads to a Folder that is not there",
      .sound,
      "UPDATE ZNOTE SET ZFOLDER = 99 WHERE Z_PK = 4"
    ),
    Damage(
      .danglingKey,
      "Folder.parent",
      "1 row leads to a Folder that is not there",
      .sound,
      "UPDATE ZFOLDER SET ZPARENT = 50 WHERE Z_PK = 3"
    ),
    Damage(
      .danglingKey,
      "Bin.kept",
      "2 rows lead to a Bin that is not there",
      .sound,
      "UPDATE ZNOTE SET Z2KEPT = 77 WHERE Z2KEPT IS NOT NULL"
    ),
    Damage(
      .danglingKey,
      "Attachment.note",
      "1 row leads to a Note that is not there",
      .left,
      "UPDATE ZATTACHMENT SET ZNOTE = 99 WHERE Z_PK = 1"
    ),
    Damage(
      .keyEntity,
      "Folder.cover",
      "1 row says in Z4_COVER that the destination is of another entity than it is",
      .asBefore,
      "UPDATE ZFOLDER SET Z4_COVER = 4 WHERE Z_PK = 2"
    ),
    Damage(
      .keyEntity,
      "Attachment.note",
      "3 rows say in Z4_NOTE that the destination is of another entity than it is",
      .asBefore,
      "UPDATE ZATTACHMENT SET Z4_NOTE = NULL"
    ),
    Damage(
      .inverse,
      "Folder.cover",
      "1 row leads to an object whose Note.covers is empty",
      .asBefore,
      "UPDATE ZNOTE SET ZCOVERS = NULL WHERE Z_PK = 1"
    ),
    Damage(
      .inverse,
      "Note.covers",
      "1 row leads to an object whose Folder.cover is empty",
      .asBefore,
      "UPDATE ZFOLDER SET ZCOVER = NULL, Z4_COVER = NULL WHERE Z_PK = 2"
    ),
    Damage(
      .inverse,
      "Note.covers",
      "1 row leads to an object whose Folder.cover does not lead back",
      .asBefore,
      "UPDATE ZNOTE SET ZCOVERS = 1 WHERE Z_PK = 3"
    ),
  ]

  private static let pairs = [
    Damage(
      .pair,
      "Note.tags",
      "1 pair names a Tag that is not there",
      .asBefore,
      "INSERT INTO Z_4TAGS VALUES (1, 99, 9000)"
    ),
    Damage(
      .pair,
      "Note.tags",
      "2 pairs name a Note that is not there",
      .asBefore,
      "INSERT INTO Z_4TAGS VALUES (98, 1, 9000), (NULL, 1, 9100)"
    ),
    Damage(
      .pair,
      "Note.related",
      "1 pair names a Note that is not there",
      .asBefore,
      "INSERT INTO Z_4RELATED VALUES (1, 99)"
    ),
    Damage(
      .pair,
      "Note.related",
      "1 pair stands there more than once",
      .sound,
      "ALTER TABLE Z_4RELATED RENAME TO old",
      "CREATE TABLE Z_4RELATED (Z_4RELATED INTEGER, REFLEXIVE INTEGER)",
      "INSERT INTO Z_4RELATED SELECT * FROM old",
      "INSERT INTO Z_4RELATED SELECT * FROM old LIMIT 1",
      "DROP TABLE old"
    ),
    Damage(
      .order,
      "Folder.pinned",
      "1 row has no place in the order",
      .sound,
      "UPDATE ZNOTE SET Z_FOK_PINNEDIN = NULL WHERE Z_PK = 3"
    ),
    Damage(
      .order,
      "Folder.pinned",
      "the order of the members of 1 object is unclear: they share places",
      .asBefore,
      "UPDATE ZNOTE SET Z_FOK_PINNEDIN = 2048 WHERE ZPINNEDIN = 1"
    ),
    Damage(
      .order,
      "Bin.queue",
      "1 row has no place in the order",
      .asBefore,
      "UPDATE ZNOTE SET Z_FOK_2QUEUE = NULL WHERE Z_PK = 6"
    ),
    Damage(
      .order,
      "Note.tags",
      "the order of the members of 1 object is unclear: they share places",
      .asBefore,
      "UPDATE Z_4TAGS SET Z_FOK_4NOTES = 7 WHERE Z_6TAGS = 2"
    ),
  ]
}
