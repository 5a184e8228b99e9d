import CSQLite

/// Binds a text where it lies, for as long as `then` runs.
func bind(
  _ text: String?,
  _ statement: OpaquePointer?,
  _ place: Int32,
  _ then: () -> Void
) {
  guard var text else {
    sqlite3_bind_null(statement, place)
    return then()
  }
  text.withUTF8 { bytes in
    bytes.withMemoryRebound(to: CChar.self) { characters in
      _ = bind_text_static(statement, place, characters.baseAddress, Int32(characters.count))
      then()
    }
  }
}
