import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Triggers that others have put into a store work when we write.
@Suite(
  .enabled(
    if: StoreCopy.names.contains("Moody") && SQLiteShell.isPresent,
    "needs ../shared/fixtures/stores and the sqlite3 tool"
  )
)
struct ForeignTriggersTests {
  private func sql(_ script: String, _ copy: StoreCopy) throws -> [String] {
    try SQLiteShell.run(script, on: copy.file.path)
  }

  private func mood(_ context: NSManagedObjectContext) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Mood")
    request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
    return try #require(try context.fetch(request).first)
  }

  @Test(arguments: [
    "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    "NSCoreDataDATriggerUpdatedAffectedObjectValue",
    "NSCoreDataTriggerUpdateAffectedObjectValue",
  ])
  func `a trigger that tells the framework of a value tells us`(function: String) throws {
    let copy = try StoreCopy("Moody")
    _ = try sql(
      """
      CREATE TRIGGER Z_DA_ZMOOD_Mood_creatorID_UPDATE AFTER UPDATE OF Z_OPT ON ZMOOD FOR EACH ROW \
      BEGIN UPDATE ZMOOD SET ZCREATORID = 'seen ' || NEW.Z_OPT WHERE Z_PK = NEW.Z_PK; \
      SELECT \(function)('ZMOOD', Z_ENT, Z_PK, 'creatorID', ZCREATORID) FROM ZMOOD \
      WHERE Z_PK <> NEW.Z_PK OR Z_PK = NEW.Z_PK; \
      UPDATE ZMOOD SET ZCREATORID = 'beside' WHERE Z_PK <> NEW.Z_PK; END;
      """,
      copy
    )
    try copy.open()
    let context = copy.context()
    try context.performAndWait {
      let mood = try mood(context)
      let request = NSFetchRequest<NSManagedObject>(entityName: "Mood")
      let others = try context.fetch(request).filter { $0 != mood }
      for other in others { _ = other.value(forKey: "creatorID") }
      mood.setValue(1.5, forKey: "latitude")
      try context.save()
      #expect(!others.isEmpty)
      for other in others {
        context.refresh(other, mergeChanges: false)
        #expect(other.value(forKey: "creatorID") as? String == "beside")
      }
    }
    #expect(
      try sql("SELECT DISTINCT ZCREATORID LIKE 'seen %' FROM ZMOOD ORDER BY 1;", copy) == [
        "0", "1",
      ]
    )
  }

  @Test func `a trigger may ask for the time`() throws {
    let copy = try StoreCopy("Moody")
    _ = try sql(
      """
      CREATE TRIGGER Z_DA_ZMOOD_Mood_date_UPDATE AFTER UPDATE OF Z_OPT ON ZMOOD FOR EACH ROW \
      BEGIN UPDATE ZMOOD SET ZDATE = NSCoreDataNow() WHERE Z_PK = NEW.Z_PK; END;
      """,
      copy
    )
    try copy.open()
    let context = copy.context()
    let start = Date().timeIntervalSinceReferenceDate.rounded(.down)
    try context.performAndWait {
      try mood(context).setValue(1.5, forKey: "latitude")
      try context.save()
    }
    let text = try #require(try sql("SELECT MAX(ZDATE) FROM ZMOOD;", copy).first)
    let time = try #require(Double(text))
    #expect(time >= start && time < start + 600)
  }

  @Test func `an R-tree that triggers keep follows every change`() throws {
    let copy = try StoreCopy("Moody")
    let columns = "Z_PK, ZLATITUDE_MIN, ZLATITUDE_MAX, ZLONGITUDE_MIN, ZLONGITUDE_MAX"
    let values = "NEW.Z_PK, NEW.ZLATITUDE, NEW.ZLATITUDE, NEW.ZLONGITUDE, NEW.ZLONGITUDE"
    _ = try sql(
      """
      CREATE VIRTUAL TABLE Z_RT_Mood_place USING RTREE (Z_PK INTEGER PRIMARY KEY, \
      ZLATITUDE_MIN FLOAT, ZLATITUDE_MAX FLOAT, ZLONGITUDE_MIN FLOAT, ZLONGITUDE_MAX FLOAT);
      INSERT INTO Z_RT_Mood_place SELECT Z_PK, ZLATITUDE, ZLATITUDE, ZLONGITUDE, ZLONGITUDE \
      FROM ZMOOD WHERE ZLATITUDE NOT NULL;
      CREATE TRIGGER Z_RT_Mood_place_INSERT AFTER INSERT ON ZMOOD FOR EACH ROW BEGIN INSERT OR \
      REPLACE INTO Z_RT_Mood_place (\(columns)) VALUES (\(values)) ; END;
      CREATE TRIGGER Z_RT_Mood_place_UPDATE AFTER UPDATE ON ZMOOD FOR EACH ROW BEGIN DELETE FROM \
      Z_RT_Mood_place WHERE Z_PK = NEW.Z_PK ; INSERT INTO Z_RT_Mood_place (\(columns)) \
      VALUES (\(values)) ; END;
      CREATE TRIGGER Z_RT_Mood_place_DELETE AFTER DELETE ON ZMOOD FOR EACH ROW BEGIN DELETE FROM \
      Z_RT_Mood_place WHERE Z_PK = OLD.Z_PK ; END;
      """,
      copy
    )
    try copy.open()
    let context = copy.context()
    try context.performAndWait {
      let mood = try mood(context)
      mood.setValue(12.5, forKey: "latitude")
      mood.setValue(-3.25, forKey: "longitude")
      let copied = NSEntityDescription.insertNewObject(forEntityName: "Mood", into: context)
      for key in mood.entity.propertiesByName.keys where key != "remoteIdentifier" {
        copied.setValue(mood.value(forKey: key), forKey: key)
      }
      try context.save()
      #expect(try sql("SELECT COUNT(*) FROM Z_RT_Mood_place;", copy) == ["5"])
      context.delete(copied)
      try context.save()
    }
    let rows = try sql(
      "SELECT Z_PK, ZLATITUDE, ZLONGITUDE FROM ZMOOD WHERE ZLATITUDE NOT NULL ORDER BY Z_PK;",
      copy
    )
    let places = try sql(
      "SELECT Z_PK, ZLATITUDE_MIN, ZLONGITUDE_MIN FROM Z_RT_Mood_place ORDER BY Z_PK;",
      copy
    )
    #expect(rows.contains { $0.hasSuffix("|12.5|-3.25") })
    #expect(rows.count == places.count)
    for (row, place) in zip(rows, places) {
      let (exact, rounded) = (row.split(separator: "|"), place.split(separator: "|"))
      for (left, right) in zip(exact, rounded) {
        // An R-tree keeps four bytes of a number.
        #expect(abs((Double(left) ?? 0) - (Double(right) ?? 1)) < 0.001)
      }
    }
  }
}
