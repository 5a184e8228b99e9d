import CoreDataModel
import CoreDataPredicates
import CoreDataSQL
import Foundation
import Testing

@testable import CoreData

struct PredicateCompilerTests {
  @Test(arguments: [
    ("stars == 3", "t0.ZSTARS = 3"),
    ("stars != 3", "t0.ZSTARS IS NOT 3"),
    ("NOT stars == 3", "t0.ZSTARS IS NOT 3"),
    ("stars < 3", "t0.ZSTARS < 3"),
    ("NOT stars < 3", "(t0.ZSTARS < 3) IS NOT TRUE"),
    ("stars == nil", "t0.ZSTARS IS NULL"),
    ("NOT stars == nil", "t0.ZSTARS IS NOT NULL"),
    ("stars > nil", "FALSE"),
    ("stars BETWEEN {1, 3}", "t0.ZSTARS BETWEEN 1 AND 3"),
    ("stars IN {1, nil}", "(t0.ZSTARS IN (1) OR t0.ZSTARS IS NULL)"),
    ("stars IN {}", "FALSE"),
    ("isDone == YES", "t0.ZISDONE = 1"),
    ("stars == \"3\"", "FALSE"),
    ("title == body", "t0.ZTITLE IS t0.ZBODY"),
    ("stars == ratio * 2", "t0.ZSTARS IS (t0.ZRATIO * 2)"),
    ("3 < stars", "3 < t0.ZSTARS"),
    ("1 + 1 == 2", "TRUE"),
    ("TRUEPREDICATE", "TRUE"),
    (
      "stars == 1 AND (isDone == 1 OR title == nil)",
      "t0.ZSTARS = 1 AND (t0.ZISDONE = 1 OR t0.ZTITLE IS NULL)"
    ),
  ])
  func `comparisons with values become comparisons with columns`(
    format: String,
    expected: String
  ) throws {
    #expect(try sql(format) == expected)
  }

  @Test func `values are bound as the columns have them`() throws {
    let code = try #require(UUID(uuidString: "00010203-0405-0607-0809-0A0B0C0D0E0F"))
    #expect(try sql("code == %@", code) == "t0.ZCODE = x'000102030405060708090a0b0c0d0e0f'")
    let date = Date(timeIntervalSinceReferenceDate: 7.5)
    #expect(try sql("createdAt > %@", date) == "t0.ZCREATEDAT > 7.5")
    #expect(try refusal("createdAt + 3600 > %@", date) == nil)
    let price = try #require(Decimal(string: "0.1"))
    #expect(try sql("price <= %@", price) == "t0.ZPRICE <= 0.1")
    let link = try #require(URL(string: "https://swift.org"))
    #expect(try sql("link == %@", link) == "t0.ZLINK = 'https://swift.org'")
    #expect(try sql("payload == %@", Data([1, 255])) == "t0.ZPAYLOAD = x'01ff'")
    #expect(try sql("title == %@", "O'Brien") == "t0.ZTITLE = 'O''Brien'")
  }

  @Test(arguments: [
    ("title CONTAINS \"x\"", "COREDATA_CONTAINS(t0.ZTITLE, 'x', 0)"),
    ("title BEGINSWITH \"Swi\"", "t0.ZTITLE >= 'Swi' AND t0.ZTITLE < 'Swj'"),
    ("title ENDSWITH \"x\"", "COREDATA_ENDSWITH(t0.ZTITLE, 'x', 0)"),
    ("title CONTAINS[cd] \"ÄX\"", "COREDATA_CONTAINS(t0.ZTITLE, 'ax', 3)"),
    ("title BEGINSWITH[c] \"X\"", "COREDATA_BEGINSWITH(t0.ZTITLE, 'x', 1)"),
    ("title CONTAINS[n] \"X\"", "COREDATA_CONTAINS(t0.ZTITLE, 'X', 0)"),
    ("title LIKE \"a*\"", "COREDATA_LIKE(t0.ZTITLE, 'a*', 0)"),
    ("title MATCHES[c] \"a+\"", "COREDATA_MATCHES(t0.ZTITLE, 'a+', 1)"),
    ("title ==[c] \"X\"", "COREDATA_FOLDED(t0.ZTITLE, 1) = 'x'"),
    ("title !=[c] \"X\"", "COREDATA_FOLDED(t0.ZTITLE, 1) IS NOT 'x'"),
    ("title <[c] \"X\"", "COREDATA_COMPARE(t0.ZTITLE, 'X', 1) < 0"),
    ("title IN[c] {\"A\", \"B\"}", "COREDATA_FOLDED(t0.ZTITLE, 1) IN ('a', 'b')"),
    ("title CONTAINS[c] body", "COREDATA_CONTAINS(t0.ZTITLE, COREDATA_FOLDED(t0.ZBODY, 1), 1)"),
    ("title IN \"abc\"", "COREDATA_CONTAINS('abc', t0.ZTITLE, 0)"),
    ("NOT title CONTAINS \"x\"", "(COREDATA_CONTAINS(t0.ZTITLE, 'x', 0)) IS NOT TRUE"),
  ])
  func `texts are compared as bytes, or by the code of the evaluation`(
    format: String,
    expected: String
  ) throws {
    #expect(try sql(format) == expected)
  }

  @Test func `a to-one key path joins each row once`() throws {
    #expect(
      try sql("folder.parent.name == \"a\" AND folder.name != folder.parent.name") == """
        LEFT OUTER JOIN ZFOLDER t1 ON t1.Z_PK = t0.ZFOLDER
        LEFT OUTER JOIN ZFOLDER t2 ON t2.Z_PK = t1.ZPARENT
        t2.ZNAME = 'a' AND t1.ZNAME IS NOT t2.ZNAME
        """
    )
  }

  @Test func `objects are compared by their keys and need no join`() throws {
    let home = Stand.row(7, of: "Folder")
    #expect(try sql("folder == %@", home) == "t0.ZFOLDER = 7")
    #expect(try sql("folder != %@", home) == "t0.ZFOLDER IS NOT 7")
    #expect(try sql("folder == nil") == "t0.ZFOLDER IS NULL")
    #expect(try sql("folder.objectID IN %@", [home]) == "t0.ZFOLDER IN (7)")
    #expect(try sql("folder == %@", Stand(.elsewhere)) == "FALSE")
    #expect(try sql("folder != %@", Stand(.elsewhere)) == "TRUE")
    #expect(try sql("folder == %@", Stand.row(7, of: "Tag")) == "FALSE")
    #expect(try sql("SELF == %@", Stand.row(3, of: "Note")) == "t0.Z_PK = 3")
    #expect(try sql("SELF IN %@", [Stand.row(3, of: "Note")]) == "t0.Z_PK IN (3)")
    #expect(try sql("self != %@", Stand.row(3, of: "Note")) == "t0.Z_PK <> 3")
  }

  @Test func `entities are numbers, and have names`() throws {
    #expect(try sql("entity == %@", Stand.entity("Memo")) == "t0.Z_ENT = 3")
    #expect(try sql("entity == %@", Stand(.entity(2...3))) == "t0.Z_ENT BETWEEN 2 AND 3")
    #expect(
      try sql("entity.name == \"Memo\"")
        == "CASE t0.Z_ENT WHEN 2 THEN 'Note' WHEN 3 THEN 'Memo' END = 'Memo'"
    )
  }

  @Test(arguments: [
    (
      "ANY notes.stars > 3",
      "EXISTS (SELECT 1 FROM ZNOTE t1 WHERE t1.ZFOLDER = t0.Z_PK AND t1.ZSTARS > 3)"
    ),
    (
      "NONE notes.stars > 3",
      "NOT EXISTS (SELECT 1 FROM ZNOTE t1 WHERE t1.ZFOLDER = t0.Z_PK AND t1.ZSTARS > 3)"
    ),
    (
      "ALL notes.stars > 3",
      """
      NOT EXISTS (SELECT 1 FROM ZNOTE t1 WHERE t1.ZFOLDER = t0.Z_PK AND t1.ZSTARS IS NOT NULL \
      AND (t1.ZSTARS > 3) IS NOT TRUE)
      """
    ),
    (
      "SOME notes.title == \"x\"",
      "EXISTS (SELECT 1 FROM ZNOTE t1 WHERE t1.ZFOLDER = t0.Z_PK AND t1.ZTITLE = 'x')"
    ),
    (
      "ANY notes.tags.label == \"x\"",
      """
      EXISTS (SELECT 1 FROM ZNOTE t1 JOIN Z_2TAGS t2 ON t2.Z_2NOTES = t1.Z_PK \
      LEFT OUTER JOIN ZTAG t3 ON t3.Z_PK = t2.Z_4TAGS \
      WHERE t1.ZFOLDER = t0.Z_PK AND t3.ZLABEL = 'x')
      """
    ),
    (
      "notes.@count > 2",
      "(SELECT COUNT(*) FROM ZNOTE t1 WHERE t1.ZFOLDER = t0.Z_PK) > 2"
    ),
    (
      "notes.@count > 0",
      "EXISTS (SELECT 1 FROM ZNOTE t1 WHERE t1.ZFOLDER = t0.Z_PK)"
    ),
    (
      "notes.tags.@count == 0 OR notes.@count < 1",
      """
      (NOT EXISTS (SELECT 1 FROM ZNOTE t1 JOIN Z_2TAGS t2 ON t2.Z_2NOTES = t1.Z_PK \
      WHERE t1.ZFOLDER = t0.Z_PK) OR NOT EXISTS (SELECT 1 FROM ZNOTE t3 WHERE t3.ZFOLDER = t0.Z_PK))
      """
    ),
    (
      "parent.notes.@count == 0",
      """
      CASE WHEN t0.ZPARENT IS NOT NULL \
      THEN (SELECT COUNT(*) FROM ZNOTE t1 WHERE t1.ZFOLDER = t0.ZPARENT) END = 0
      """
    ),
    (
      "notes.@sum.stars > 2",
      "(SELECT COALESCE(SUM(t1.ZSTARS), 0) FROM ZNOTE t1 WHERE t1.ZFOLDER = t0.Z_PK) > 2"
    ),
    (
      "notes.@max.createdAt == nil",
      "(SELECT MAX(t1.ZCREATEDAT) FROM ZNOTE t1 WHERE t1.ZFOLDER = t0.Z_PK) IS NULL"
    ),
    (
      "notes.tags.@sum.weight > 2",
      """
      (SELECT COALESCE(SUM(value), 0) FROM (SELECT DISTINCT t2.Z_4TAGS, t3.ZWEIGHT AS value \
      FROM ZNOTE t1 JOIN Z_2TAGS t2 ON t2.Z_2NOTES = t1.Z_PK \
      LEFT OUTER JOIN ZTAG t3 ON t3.Z_PK = t2.Z_4TAGS WHERE t1.ZFOLDER = t0.Z_PK) each) > 2
      """
    ),
    (
      "SUBQUERY(notes, $n, $n.stars > rank AND $n.title != \"x\").@count > 0",
      """
      EXISTS (SELECT 1 FROM ZNOTE t1 WHERE t1.ZFOLDER = t0.Z_PK \
      AND t1.ZSTARS > t0.ZRANK AND t1.ZTITLE IS NOT 'x')
      """
    ),
  ])
  func `to-many relationships become subselects`(format: String, expected: String) throws {
    #expect(try sql(format, of: "Folder") == expected)
  }

  @Test func `membership looks for the key in the table that has it`() throws {
    let tag = Stand.row(4, of: "Tag")
    let pairs = "EXISTS (SELECT 1 FROM Z_2TAGS t1 WHERE t1.Z_2NOTES = t0.Z_PK AND t1.Z_4TAGS = 4)"
    #expect(try sql("%@ IN tags", tag) == pairs)
    #expect(try sql("tags CONTAINS %@", tag) == pairs)
    #expect(try sql("ANY tags == %@", tag) == pairs)
    #expect(
      try sql("ANY pins == %@", tag)
        == "EXISTS (SELECT 1 FROM ZTAG t1 WHERE t1.Z2PINS = t0.Z_PK AND t1.Z_PK = 4)"
    )
  }

  @Test func `two to-many key paths meet in a subquery`() throws {
    #expect(
      try sql("SUBQUERY(tags, $t, $t IN folder.notes.tags).@count > 0") == """
        EXISTS (SELECT 1 FROM Z_2TAGS t1 WHERE t1.Z_2NOTES = t0.Z_PK \
        AND EXISTS (SELECT 1 FROM ZNOTE t2 JOIN Z_2TAGS t3 ON t3.Z_2NOTES = t2.Z_PK \
        WHERE t2.ZFOLDER = t0.ZFOLDER AND t1.Z_4TAGS = t3.Z_4TAGS))
        """
    )
  }

  @Test func `few constants are listed and many travel as one value`() throws {
    #expect(try sql("stars IN %@", [1, 2]) == "t0.ZSTARS IN (1, 2)")
    #expect(
      try sql("stars IN %@", Array(1...20))
        == "t0.ZSTARS IN (SELECT value FROM json_each('[\((1...20).map(String.init).joined(separator: ","))]'))"
    )
  }

  @Test func `beside an indexed equality a range has no index`() throws {
    var schema = ModelSchema.desk
    let index = try #require(schema.entities.firstIndex { $0.name == "Note" })
    let byDate = FetchIndexSchema(name: "byDate", elements: [.init(.property("createdAt"))])
    schema.entities[index].indexes = [byDate]
    let tables = TableMap(schema)
    func sql(_ format: String) throws -> String {
      var compiler = PredicateCompiler(
        try #require(tables["Note"]),
        in: tables,
        dialect: SQLiteDialect(),
        schema: schema,
        keyOf: { ($0 as? Stand)?.key }
      )
      let home = Stand.row(7, of: "Folder")
      let tree = try PredicateFormat.predicate(format, arguments: [home])
      return try compiler.condition(tree).spelled
    }
    let now = "CAST(7, \"NSDate\")"
    #expect(
      try sql("folder == %@ AND createdAt > \(now)")
        == "t0.ZFOLDER = 7 AND +t0.ZCREATEDAT > 7.0"
    )
    #expect(try sql("createdAt > \(now)") == "t0.ZCREATEDAT > 7.0")
    #expect(
      try sql("stars == 1 AND createdAt > \(now)") == "t0.ZSTARS = 1 AND t0.ZCREATEDAT > 7.0"
    )
  }
}

// MARK: - Sorting

struct SortCompilationTests {
  @Test func `sorts end with the key, so that every fetch has one order`() throws {
    #expect(
      try order(
        SortTerm(keyPath: ["folder", "name"], ascending: true),
        SortTerm(keyPath: ["stars"], ascending: false)
      ) == """
        LEFT OUTER JOIN ZFOLDER t1 ON t1.Z_PK = t0.ZFOLDER
        t1.ZNAME, t0.ZSTARS DESC, t0.Z_PK
        """
    )
    #expect(try order(SortTerm(keyPath: ["objectID"], ascending: false)) == "t0.Z_PK DESC")
    #expect(try order() == "t0.Z_PK")
  }

  @Test func `selectors that compare texts are collations`() throws {
    #expect(
      try order(
        SortTerm(keyPath: ["title"], ascending: false, order: .localizedStandard),
        SortTerm(keyPath: ["body"], ascending: true, order: .caseInsensitive)
      ) == """
        t0.ZTITLE COLLATE COREDATA_LOCALIZED_STANDARD DESC, \
        t0.ZBODY COLLATE COREDATA_CASE_INSENSITIVE, t0.Z_PK
        """
    )
  }

  @Test(arguments: [
    (["tags"], "tags: a to-many key path has several values"),
    (["folder"], "folder: objects have no order"),
    (["draft"], "draft: draft of Note is not kept in the database"),
    (
      ["ink"],
      "ink: a transformed value has no order; sort by another attribute, or sort the objects after"
    ),
  ])
  func `what has no order is refused`(path: [String], sentence: String) throws {
    var compiler = try PredicateCompiler.desk()
    let error = #expect(throws: PredicateCompilationError.self) {
      try compiler.order([SortTerm(keyPath: path, ascending: true)])
    }
    #expect(
      error.map { $0.description.hasPrefix(sentence) } == true,
      "\(String(describing: error))"
    )
  }
}

// MARK: - Refusals

struct PredicateRefusalTests {
  @Test(arguments: [
    (
      "draft == \"x\"",
      """
      draft: draft of Note is not kept in the database; leave this part out of the request and \
      filter the objects it finds
      """
    ),
    (
      "titel == \"x\"",
      "titel: the entity Note has no property \"titel\"; correct the name, or fetch the entity "
        + "that has it"
    ),
    (
      "title.length > 3",
      "title.length: the database cannot read \"length\" of a value; compare the value itself, "
        + "or use a function such as length:(title)"
    ),
    (
      "stars < \"x\"",
      "stars < \"x\": a number and a text have no order; compare values of one type, such as two "
        + "numbers or two dates"
    ),
    (
      "stars CONTAINS \"x\"",
      "stars CONTAINS \"x\": CONTAINS expects texts, not a number; compare an attribute of type "
        + "String with a text"
    ),
    (
      "stars == $limit",
      "$limit: the variable $limit has no value; give it one with withSubstitutionVariables(_:)"
    ),
    (
      "ANY tags IN folder.notes.tags",
      "ANY tags IN folder.notes.tags: the database looks through one to-many key path in a "
        + "comparison, not two; use SUBQUERY(tags, $t, $t IN folder.tags).@count > 0"
    ),
    (
      "title MATCHES \"(\"",
      "title MATCHES \"(\": \"(\" is not a regular expression; correct the pattern"
    ),
    (
      "ANY title == \"x\"",
      "ANY title == \"x\": ANY and ALL expect a collection, title has a single value; leave the "
        + "word out"
    ),
    (
      "tags.@median.weight > 1",
      "tags.@median.weight: the database does not know @median; use @count, @sum, @avg, @min or "
        + "@max"
    ),
    (
      "tags[FIRST] == nil",
      """
      tags[FIRST]: the database has no equivalent; leave this part out of the request and filter \
      the objects it finds
      """
    ),
    (
      "ink == \"x\"",
      """
      ink == "x": the database cannot look into transformed values and data kept in files; \
      compare with nil, or keep what you search for in an attribute of its own
      """
    ),
  ])
  func `a refusal names the part and the remedy`(format: String, sentence: String) throws {
    #expect(try refusal(format) == sentence)
  }

  @Test func `code is refused`() throws {
    var compiler = try PredicateCompiler.desk()
    let block = NSPredicate { _, _ in true }
    let error = #expect(throws: PredicateCompilationError.self) {
      try compiler.condition(block.tree)
    }
    #expect(error?.problem == "a predicate made of code cannot run in the database")
  }

  @Test func `a transformed value can be nil`() throws {
    #expect(try sql("ink == nil") == "t0.ZINK IS NULL")
  }

  @Test func `a constant of an unknown type is named`() throws {
    #expect(
      try refusal("folder == %@", NSObject())?.contains("no values of type NSObject") == true
    )
  }
}
