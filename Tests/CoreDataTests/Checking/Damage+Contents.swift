@testable import CoreData
@testable import CoreDataStoreCare

/// Damages of values, and of tables, indexes and triggers.
extension Damage {
  static let values = [
    Damage(
      .requiredValue,
      "Folder.name",
      "1 row has no value, which the model requires",
      .sound,
      "UPDATE ZFOLDER SET ZNAME = NULL WHERE Z_PK = 2"
    ),
    Damage(
      .requiredValue,
      "Note.isFavourite",
      "2 rows have no value, which the model requires",
      .asBefore,
      "UPDATE ZNOTE SET ZISFAVOURITE = NULL WHERE Z_PK IN (3, 8)"
    ),
    Damage(
      .requiredValue,
      "Tag.label",
      "1 row has no value, which the model requires",
      .left,
      "UPDATE ZTAG SET ZLABEL = NULL WHERE Z_PK = 1"
    ),
    Damage(
      .requiredValue,
      "Attachment.note",
      "1 row leads to no Note, which the model requires",
      .left,
      "UPDATE ZATTACHMENT SET ZNOTE = NULL, Z4_NOTE = NULL WHERE Z_PK = 3"
    ),
    Damage(
      .valueType,
      "Note.stars",
      "1 row has a value in ZSTARS that is not of SQLite's type integer",
      .left,
      "UPDATE ZNOTE SET ZSTARS = 'many' WHERE Z_PK = 2"
    ),
    Damage(
      .valueType,
      "Note.uuid",
      "1 row has a value in ZUUID that is not of SQLite's type blob",
      .left,
      "UPDATE ZNOTE SET ZUUID = '6B29FC40-CA47-1067-B31D-00DD010662DA' WHERE Z_PK = 2"
    ),
    Damage(
      .archive,
      "Note.keywords",
      "1 row has data that cannot be unarchived",
      .left,
      "UPDATE ZNOTE SET ZKEYWORDS = x'' WHERE Z_PK = 2"
    ),
    Damage(
      .archive,
      "Note.keywords",
      "1 row has data that cannot be unarchived",
      .left,
      """
      UPDATE ZNOTE SET ZKEYWORDS = substr(ZKEYWORDS, 1, length(ZKEYWORDS) - 1)
      WHERE Z_PK = (SELECT MIN(Z_PK) FROM ZNOTE WHERE ZKEYWORDS IS NOT NULL)
      """
    ),
    Damage(
      .valueType,
      "Note.slug",
      "1 row has a value in ZSLUG that is not of SQLite's type text",
      .left,
      "UPDATE ZNOTE SET ZSLUG = x'4142' WHERE Z_PK = 2"
    ),
    Damage(
      .text,
      "Note.slug",
      "1 row has a text that is not valid UTF-8",
      .left,
      "UPDATE ZNOTE SET ZSLUG = CAST(x'66FF6F' AS TEXT) WHERE Z_PK = 2"
    ),
    Damage(
      .range,
      "Note.created",
      "1 row has a date outside the years 1 to 9999",
      .left,
      "UPDATE ZNOTE SET ZCREATED = 1700000000000 WHERE Z_PK = 2"
    ),
    Damage(
      .range,
      "Note.stars",
      "1 row has a number that is no Integer 16",
      .left,
      "UPDATE ZNOTE SET ZSTARS = 40000 WHERE Z_PK = 2"
    ),
    Damage(
      .range,
      "Checklist.itemCount",
      "1 row has a number that is no Integer 32",
      .left,
      "UPDATE ZNOTE SET ZITEMCOUNT = 3000000000 WHERE Z_PK = 8"
    ),
    Damage(
      .range,
      "Note.isFavourite",
      "1 row has a number that is neither 0 nor 1",
      .left,
      "UPDATE ZNOTE SET ZISFAVOURITE = 2 WHERE Z_PK = 2"
    ),
    Damage(
      .uuid,
      "Note.uuid",
      "1 row has a UUID that has not 16 bytes",
      .left,
      "UPDATE ZNOTE SET ZUUID = x'0102' WHERE Z_PK = 2"
    ),
    Damage(
      .archive,
      "Note.keywords",
      "1 row has data that cannot be unarchived",
      .left,
      "UPDATE ZNOTE SET ZKEYWORDS = x'0102' WHERE Z_PK = 2"
    ),
    Damage(
      .externalData,
      "Note.image",
      "1 row has data that begin with neither 1 nor 2 and the name of a file",
      .left,
      "UPDATE ZNOTE SET ZIMAGE = x'0708' WHERE Z_PK = 3"
    ),
    Damage(
      .derivedValue,
      "Folder.noteCount",
      "1 row has a value that is not what the model derives",
      .asBefore,
      "UPDATE ZFOLDER SET ZNOTECOUNT = 70 WHERE Z_PK = 1"
    ),
    Damage(
      .derivedValue,
      "Note.folderName",
      "2 rows have a value that is not what the model derives",
      .asBefore,
      "UPDATE ZNOTE SET ZFOLDERNAME = NULL WHERE Z_PK IN (2, 3)"
    ),
    Damage(
      .derivedValue,
      "Note.searchTitle",
      "1 row has a value that is not what the model derives",
      .asBefore,
      "UPDATE ZNOTE SET ZSEARCHTITLE = 'other' WHERE Z_PK = 2"
    ),
    Damage(
      .derivedValue,
      "Note.tagCount",
      "1 row has a value that is not what the model derives",
      .asBefore,
      "UPDATE ZNOTE SET ZTAGCOUNT = 12 WHERE Z_PK = 2"
    ),
  ]

  static let structure = [
    Damage(
      .index,
      "ZNOTE",
      "the index of ZFOLDER is missing, so that requests take longer",
      .asBefore,
      "DROP INDEX ZNOTE_ZFOLDER_INDEX"
    ),
    Damage(
      .index,
      "ZNOTE",
      "the index of ZTITLE is missing, so that requests take longer",
      .asBefore,
      "DROP INDEX Z_Note_byTitle"
    ),
    Damage(
      .index,
      "ZNOTE",
      "the index that keeps ZSLUG unique is missing",
      .asBefore,
      "DROP INDEX Z_Note_UNIQUE_slug"
    ),
    Damage(
      .uniqueness,
      "ZNOTE",
      "2 rows share values of ZSLUG that should be unique",
      .left,
      "DROP INDEX Z_Note_UNIQUE_slug",
      "UPDATE ZNOTE SET ZSLUG = 'same' WHERE Z_PK IN (2, 3)"
    ),
    Damage(
      .trigger,
      "Folder.noteCount",
      "1 trigger that should keep it up to date is missing",
      .asBefore,
      "DROP TRIGGER Z_DA_ZNOTE_Folder_noteCount_PARAMETER_INSERT"
    ),
    Damage(
      .table,
      "Z_4RELATED",
      "the table is missing",
      .sound,
      "DROP TABLE Z_4RELATED"
    ),
    Damage(
      .column,
      "ZNOTE",
      "1 column is missing",
      .sound,
      "ALTER TABLE ZNOTE DROP COLUMN ZCREATED"
    ),
  ]

  /// Things of the right name that do something else; the other damages take the same things away.
  static let replaced = [
    Damage(
      .index,
      "ZNOTE",
      "the index that keeps ZSLUG unique does not do so",
      .asBefore,
      "DROP INDEX Z_Note_UNIQUE_slug",
      "CREATE UNIQUE INDEX Z_Note_UNIQUE_slug ON ZNOTE (ZSLUG) WHERE Z_PK > 5"
    ),
    Damage(
      .index,
      "ZNOTE",
      "the index that keeps ZSLUG unique does not do so",
      .asBefore,
      "DROP INDEX Z_Note_UNIQUE_slug",
      "CREATE UNIQUE INDEX Z_Note_UNIQUE_slug ON ZNOTE (ZSLUG COLLATE NOCASE)"
    ),
    Damage(
      .trigger,
      "Folder.noteCount",
      "1 trigger that should keep it up to date does not write it",
      .asBefore,
      "DROP TRIGGER Z_DA_ZNOTE_Folder_noteCount_PARAMETER_INSERT",
      """
      CREATE TRIGGER Z_DA_ZNOTE_Folder_noteCount_PARAMETER_INSERT AFTER INSERT ON ZNOTE
      FOR EACH ROW BEGIN SELECT 1; END
      """
    ),
  ]
}
