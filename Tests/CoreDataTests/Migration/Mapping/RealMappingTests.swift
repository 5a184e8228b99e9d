import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Stores of real programs, migrated with the mapping models that their authors made.
@Suite(
  .enabled(
    if: SQLiteShell.isPresent && StoreCopy.names.contains("Moody2"),
    "needs ../shared/fixtures and the sqlite3 tool"
  )
)
struct RealMappingTests {
  private static let models = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../../../shared/fixtures/models")
    .standardizedFileURL

  private func moody(_ version: Int) throws -> NSManagedObjectModel {
    let url = Self.models.appending(path: "Moody.xcdatamodeld")
    let versions = try ModelFile.versions(in: url)
    return NSManagedObjectModel(
      schema: try #require(versions.first { $0.name == "Moody \(version)" }).schema
    )
  }

  private func sample(_ name: String) throws -> NSManagedObjectModel {
    let versions = try ModelFile.versions(in: Self.models.appending(path: "SampleModel.momd"))
    return NSManagedObjectModel(schema: try #require(versions.first { $0.name == name }).schema)
  }

  /// The mapping model as a program finds it, among all that are in a bundle.
  private func mapping(
    _ source: NSManagedObjectModel,
    _ destination: NSManagedObjectModel
  ) throws -> NSMappingModel {
    let bundle = try #require(Bundle(url: Self.models))
    return try #require(
      NSMappingModel(from: [bundle], forSourceModel: source, destinationModel: destination)
    )
  }

  /// Migrates a store of Moody to the next version, and gives the new file.
  private func migrate(_ file: URL, _ version: Int) throws -> URL {
    let (source, destination) = (try moody(version), try moody(version + 1))
    let mapping = try mapping(source, destination)
    for entity in mapping.mappings {
      if let name = entity.entityMigrationPolicyClassName {
        entity.entityMigrationPolicyClassName = name.replacing(
          "Migrations.",
          with: "CoreDataTests."
        )
      }
    }
    let new = TestSupport.TemporaryFolder.file("Moody \(version + 1).sqlite")
    try NSMigrationManager(sourceModel: source, destinationModel: destination).migrateStore(
      from: file,
      type: .sqlite,
      mapping: mapping,
      to: new,
      type: .sqlite
    )
    return new
  }

  private func moods(_ file: URL, _ version: Int) throws -> [String] {
    let country = version < 4 ? "ZGEOGRAPHICREGION" : "ZCOUNTRY"
    return try SQLiteShell.run(
      """
      SELECT quote(m.ZDATE), quote(m.ZCREATORID), quote(m.ZREMOTEID), quote(m.ZLATITUDE),
        quote(m.ZLONGITUDE), quote(m.ZRATING), quote(m.ZMARKEDFORREMOTEDELETION),
        quote(m.ZMARKEDFORDELETIONDATE), quote(m.ZCOLORS), quote(c.ZNUMERICISO3166CODE)
      FROM ZMOOD m LEFT JOIN \(country) c ON c.Z_PK = m.ZCOUNTRY ORDER BY 1, 2, 3;
      """,
      on: file.path
    )
  }

  private func countries(_ file: URL, _ version: Int) throws -> [String] {
    let (table, filter) =
      version < 4 ? ("ZGEOGRAPHICREGION", "WHERE c.Z_ENT = 3") : ("ZCOUNTRY", "")
    let (continent, join) =
      switch version {
      case 5: ("c.ZISOCONTINENT", "")
      case 4, 6: ("k.ZNUMERICISO3166CODE", "LEFT JOIN ZCONTINENT k ON k.Z_PK = c.ZCONTINENT")
      case _:
        ("k.ZNUMERICISO3166CODE", "LEFT JOIN ZGEOGRAPHICREGION k ON k.Z_PK = c.ZCONTINENT")
      }
    return try SQLiteShell.run(
      """
      SELECT c.ZNUMERICISO3166CODE, c.ZNUMBEROFMOODS, quote(c.ZUPDATEDAT), c.ZUNIQUENESSDUMMY,
        quote(c.ZMARKEDFORDELETIONDATE), quote(\(continent)),
        (SELECT count(*) FROM ZMOOD WHERE ZCOUNTRY = c.Z_PK)
      FROM \(table) c \(join) \(filter) ORDER BY 1;
      """,
      on: file.path
    )
  }

  private func continents(_ file: URL, _ version: Int) throws -> [String] {
    let (table, filter) =
      version < 4 ? ("ZGEOGRAPHICREGION", "WHERE Z_ENT = 2") : ("ZCONTINENT", "")
    return try SQLiteShell.run(
      """
      SELECT ZNUMERICISO3166CODE, ZNUMBEROFMOODS, ZNUMBEROFCOUNTRIES, quote(ZUPDATEDAT)
      FROM \(table) \(filter) ORDER BY 1;
      """,
      on: file.path
    )
  }

  @Test(arguments: 2...5)
  func `each row of Moody is there in the next version (109)`(version: Int) throws {
    let old = try StoreCopy("Moody\(version)").file
    let new = try migrate(old, version)
    #expect(try moods(old, version).count == 4)
    #expect(try moods(new, version + 1) == moods(old, version))
    #expect(try countries(old, version).count == 3)
    #expect(try countries(new, version + 1) == countries(old, version))
    if version < 4 { #expect(try continents(new, version + 1) == continents(old, version)) }
    #expect(try SQLiteShell.run("PRAGMA integrity_check;", on: new.path) == ["ok"])
  }

  @Test func `Moody goes from version to version (109)`() throws {
    let first = try StoreCopy("Moody2").file
    var file = first
    for version in 2...5 { file = try migrate(file, version) }
    #expect(try moods(file, 6) == moods(first, 2))
    #expect(try countries(file, 6) == countries(first, 2))
  }

  @Test(.enabled(if: StoreCopy.names.contains("SampleModel_V2")))
  func `a compiled mapping model with policies does its work (109)`() throws {
    let file = try StoreCopy("SampleModel_V2").file
    let (source, destination) = (try sample("SampleModel2"), try sample("SampleModel3"))
    let mapping = try mapping(source, destination)
    for entity in mapping.mappings {
      if let name = entity.entityMigrationPolicyClassName {
        entity.entityMigrationPolicyClassName =
          name.replacing("REPLACE_AT_RUNTIME", with: "CoreDataTests")
      }
    }
    let new = TestSupport.TemporaryFolder.file("New.sqlite")
    try NSMigrationManager(sourceModel: source, destinationModel: destination).migrateStore(
      from: file,
      type: .sqlite,
      mapping: mapping,
      to: new,
      type: .sqlite
    )
    let owner = "LEFT JOIN ZPERSON p ON p.Z_PK = c.ZOWNER"
    let columns =
      "c.Z_ENT, quote(c.ZMODEL), c.ZNUMBERPLATE, quote(c.ZISLIMITEDEDITION), quote(p.ZLASTNAME)"
    let before = try SQLiteShell.run(
      "SELECT \(columns), quote(c.ZMAKER) FROM ZCAR c \(owner) ORDER BY c.ZNUMBERPLATE;",
      on: file.path
    )
    let after = try SQLiteShell.run(
      """
      SELECT \(columns), quote(m.ZNAME) FROM ZCAR c \(owner)
      LEFT JOIN ZMAKER m ON m.Z_PK = c.ZCREATEDBY ORDER BY c.ZNUMBERPLATE;
      """,
      on: new.path
    )
    // Entities have other numbers: Maker comes before the last two.
    let numbered = { (lines: [String]) in lines.map { $0.drop { $0 != "|" } } }
    #expect(before.count == 125 && numbered(after) == numbered(before))
    let people = "SELECT ZFIRSTNAME, ZLASTNAME FROM ZPERSON ORDER BY 1, 2;"
    let found = try SQLiteShell.run(people, on: new.path)
    #expect(try found.count == 20 && found == SQLiteShell.run(people, on: file.path))
    let kinds = "SELECT count(*) FROM ZCAR GROUP BY Z_ENT ORDER BY 1;"
    #expect(try SQLiteShell.run(kinds, on: new.path) == SQLiteShell.run(kinds, on: file.path))
    let makers = try SQLiteShell.run("SELECT count(DISTINCT ZMAKER) FROM ZCAR;", on: file.path)
    #expect(try SQLiteShell.run("SELECT count(*) FROM ZMAKER;", on: new.path) == makers)
  }

  @Test func `no mapping model is found for models that have none (106)`() throws {
    let bundle = try #require(Bundle(url: Self.models))
    #expect(
      try NSMappingModel(
        from: [bundle],
        forSourceModel: moody(2),
        destinationModel: moody(5)
      ) == nil
    )
    #expect(NSMappingModel(contentsOf: Self.models.appending(path: "nothing.cdm")) == nil)
    #expect(NSMappingModel(contentsOf: nil) == nil)
    let file = Self.models.appending(path: "SampleModel-V2toV3.cdm")
    #expect(NSMappingModel(contentsOf: file)?.entityMappings.count == 5)
  }
}

/// Stands in for the policy of Moody's last mapping: continents are made of their numbers.
final class Country5ToCountry6Policy: NSEntityMigrationPolicy {
  override func createRelationships(
    forDestination country: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try super.createRelationships(forDestination: country, in: mapping, manager: manager)
    let source = manager.sourceInstances(
      forEntityMappingName: mapping.name,
      destinationInstances: [country]
    )
    guard let number = source.first?.value(forKey: "isoContinent") as? NSNumber else { return }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Continent")
    request.predicate = NSPredicate(format: "numericISO3166Code == %@", number)
    let continent =
      try manager.destinationContext.fetch(request).first
      ?? NSEntityDescription.insertNewObject(
        forEntityName: "Continent",
        into: manager.destinationContext
      )
    continent.setValue(number, forKey: "numericISO3166Code")
    country.setValue(continent, forKey: "continent")
  }
}

/// Stands in for a policy that makes an entity of an attribute.
final class V2to3MakerPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard let name = sInstance.value(forKey: "maker") as? String else { return }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Maker")
    request.predicate = NSPredicate(format: "name == %@", name)
    let maker =
      try manager.destinationContext.fetch(request).first
      ?? NSEntityDescription.insertNewObject(
        forEntityName: "Maker",
        into: manager.destinationContext
      )
    maker.setValue(name, forKey: "name")
    let cars = manager.destinationInstances(
      forEntityMappingName: mapping.name,
      sourceInstances: [sInstance]
    )
    cars.first?.setValue(maker, forKey: "createdBy")
  }
}
