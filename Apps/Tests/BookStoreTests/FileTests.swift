import ChildPrograms
import Foundation
import Testing

/// The file that the program leaves, as `sqlite3` shows it.
struct FileTests {
  @Test func `the file has the tables, columns and indexes of the model`() throws {
    let program = try Program()
    _ = try program.run("--store", program.store.path)
    #expect(
      try program.sql("SELECT sql || ';' FROM sqlite_master ORDER BY type DESC, name") == """
        CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZCATEGORY INTEGER, ZPRICE FLOAT, ZTITLE VARCHAR );
        CREATE TABLE ZBOOKCATEGORY ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZNAME VARCHAR );
        CREATE TABLE ZPAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZBOOK INTEGER, Z_FOK_BOOK INTEGER, ZTEXT VARCHAR );
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, \
        Z_MAX INTEGER);
        CREATE INDEX ZBOOK_ZCATEGORY_INDEX ON ZBOOK (ZCATEGORY);
        CREATE INDEX ZPAGE_ZBOOK_INDEX ON ZPAGE (ZBOOK);
        """
    )
  }

  @Test func `the rows are the document's`() throws {
    let program = try Program()
    _ = try program.run("--store", program.store.path)
    #expect(
      try program.sql("SELECT * FROM ZBOOKCATEGORY") == """
        1|2|1|Fiction
        2|2|1|Biography
        """
    )
    #expect(
      try program.sql("SELECT * FROM ZBOOK") == """
        1|1|1|1|10.0|The first book
        2|1|1|1|15.0|The second book
        3|1|1|2|10.0|The third book
        """
    )
    #expect(
      try program.sql("SELECT * FROM Z_PRIMARYKEY") == """
        1|Book|0|3
        2|BookCategory|0|2
        3|Page|0|0
        """
    )
  }

  @Test func `a second run replaces the rows and uses no primary key again`() throws {
    let program = try Program()
    for _ in 0..<2 { _ = try program.run("--store", program.store.path) }
    #expect(
      try program.sql("SELECT Z_PK, ZNAME FROM ZBOOKCATEGORY") == """
        3|Fiction
        4|Biography
        """
    )
    #expect(
      try program.sql("SELECT Z_PK, ZCATEGORY, ZTITLE FROM ZBOOK") == """
        4|3|The first book
        5|3|The second book
        6|4|The third book
        """
    )
  }

  @Test func `the file is sound`() throws {
    let program = try Program()
    for _ in 0..<3 { _ = try program.run("--store", program.store.path) }
    #expect(try program.sql("PRAGMA integrity_check") == "ok")
  }
}
