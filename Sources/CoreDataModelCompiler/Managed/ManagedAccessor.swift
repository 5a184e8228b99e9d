import CoreDataModel
import CoreDataSwiftCode

/// The accessors of one `@NSManaged` property, or the body of one method: functions whose symbols are those
/// that the compiler wants for the property.
///
/// ```swift
/// @_silgen_name("$s5Notes4NoteC5titleSSSgvg")
/// public final func managedGet_title() -> String? { self[slot: ManagedSlot(…)] }
/// ```
struct ManagedAccessor: Hashable {
  let functions: [String]
  /// The symbols that the functions define.
  let symbols: [String]
  /// The modules of the types in the functions' signatures.
  let modules: Set<String>
  let isPublic: Bool
}

/// Makes the accessors of the members of one file.
struct ManagedAccessorMaker {
  let directory: TypeDirectory
  let models: ManagedModels
  let file: SwiftSourceFile

  /// The accessors of a member.
  ///
  /// - Throws: Why the member cannot be served.
  func accessor(of member: ManagedMember, number: Int) throws(UnresolvedType) -> ManagedAccessor {
    let owner = try owner(of: member)
    switch member.shape {
    case .unreadable(let reason): throw UnresolvedType(reason)
    case .property(let type): return try property(member, type, owner)
    case .method(let parameters, let result):
      return try method(member, parameters, result, owner, number: number)
    }
  }

  /// The place of a member according to its symbols, and the entity of the class if a model has it.
  private struct Owner {
    let entity: SymbolEntity
    let model: ManagedModels.Entity?
    let access: String
    let isPublic: Bool
  }

  private func owner(of member: ManagedMember) throws(UnresolvedType) -> Owner {
    guard !member.place.names.isEmpty else {
      throw UnresolvedType("it does not stand in a class; move it into the class of an entity")
    }
    guard member.place.access > .fileprivate else {
      throw UnresolvedType("its class is private to its file; make the class internal")
    }
    let context = try directory.context(member.place.names, in: directory.module)
    let module =
      if case .extension(.nominal(let type), _) = context { type.module } else { directory.module }
    let mark = "_" + MD5.hex(of: Array((directory.module + file.name).utf8))
    let access =
      switch member.access {
      case .public, .open: "public "
      case .package: "package "
      case .internal, .fileprivate, .private: ""
      }
    return Owner(
      entity: SymbolEntity(
        name: member.name,
        context: context,
        fileMark: member.access.isOfFile ? mark : nil
      ),
      model: models.entity(of: "\(module).\(member.place.names.joined(separator: "."))"),
      access: access,
      isPublic: access == "public "
    )
  }

  private func slot(_ name: String, _ owner: Owner) -> String {
    owner.model?.slot(of: name) ?? ManagedSlotName.expression(name)
  }
}

// MARK: - Properties

extension ManagedAccessorMaker {
  private func property(
    _ member: ManagedMember,
    _ syntax: SwiftTypeSyntax,
    _ owner: Owner
  ) throws(UnresolvedType) -> ManagedAccessor {
    let type = try directory.resolve(syntax, in: member.place.names)
    let spelling = syntax.spelling
    let body = try body(of: member, type, spelling, owner)
    let getter = SymbolName.accessor(.getter, of: owner.entity, type)
    let setter = SymbolName.accessor(.setter, of: owner.entity, type)
    return ManagedAccessor(
      functions: [
        """
          @_silgen_name("\(getter)")
          \(owner.access)final func managedGet_\(member.name)() -> \(spelling) { \(body.getter) }
        """,
        """
          @_silgen_name("\(setter)")
          \(owner.access)final func managedSet_\(member.name)(_ value: __owned \(spelling)) { \(body.setter) }
        """,
      ],
      symbols: [getter, setter],
      modules: type.modules,
      isPublic: owner.isPublic
    )
  }

  private func body(
    of member: ManagedMember,
    _ type: SymbolType,
    _ spelling: String,
    _ owner: Owner
  ) throws(UnresolvedType) -> ManagedBody {
    let inModel = owner.model?.property(member.name)
    if inModel == nil, let keys = Self.primitiveKeys(member.name) {
      let key = try primitiveKey(among: keys, member.name, owner)
      return ManagedBody(primitive: key, type, spelled: spelling)
    }
    if let inModel, let problem = ManagedFit.problem(type, spelled: spelling, with: inModel) {
      throw UnresolvedType(problem)
    }
    return ManagedBody(
      of: type,
      spelled: spelling,
      slot: slot(member.name, owner),
      property: inModel
    )
  }

  /// The names that the property behind a name such as `primitiveTitle` may have.
  private static func primitiveKeys(_ name: String) -> [String]? {
    guard name.hasPrefix("primitive") else { return nil }
    let rest = name.dropFirst("primitive".count)
    guard let first = rest.first, first.isUppercase else { return nil }
    let small = first.lowercased() + rest.dropFirst()
    // `URL` is a name of its own.
    let isAcronym = rest.dropFirst().first?.isUppercase == true
    return isAcronym ? [String(rest), small] : [small, String(rest)]
  }

  private func primitiveKey(
    among keys: [String],
    _ name: String,
    _ owner: Owner
  ) throws(UnresolvedType) -> String {
    guard let model = owner.model else { return keys[0] }
    guard let key = keys.first(where: { model.property($0) != nil }) else {
      throw UnresolvedType(
        "entity '\(model.name)' has no property '\(keys[0])' whose primitive value it could be; the name "
          + "is 'primitive' and the property's name with a capital first letter"
      )
    }
    return key
  }
}

// MARK: - Methods

extension ManagedAccessorMaker {
  private func method(
    _ member: ManagedMember,
    _ parameters: [ManagedMember.Parameter],
    _ result: SwiftTypeSyntax?,
    _ owner: Owner,
    number: Int
  ) throws(UnresolvedType) -> ManagedAccessor {
    var types: [SymbolType] = []
    for parameter in parameters {
      types.append(try directory.resolve(parameter.type, in: member.place.names))
    }
    let call = try call(of: member, parameters, types, result, owner)
    let symbol = SymbolName.method(
      owner.entity,
      labels: parameters.map(\.label),
      parameters: types,
      result: nil
    )
    let signature = zip(["first", "second"], parameters)
      .map { "_ \($0): \($1.type.spelling)" }.joined(separator: ", ")
    return ManagedAccessor(
      functions: [
        """
          @_silgen_name("\(symbol)")
          \(owner.access)final func managedCall\(number)_\(member.name)(\(signature)) { \(call) }
        """
      ],
      symbols: [symbol],
      modules: types.reduce(into: []) { $0.formUnion($1.modules) },
      isPublic: owner.isPublic
    )
  }

  private func call(
    of member: ManagedMember,
    _ parameters: [ManagedMember.Parameter],
    _ types: [SymbolType],
    _ result: SwiftTypeSyntax?,
    _ owner: Owner
  ) throws(UnresolvedType) -> String {
    let returnsNothing = result.map { $0 == .named([.init("Void")]) } ?? true
    let isCollection = types.contains(where: \.isCollection)
    guard returnsNothing, types.count <= 2,
      let method = ManagedMethod(
        named: member.name,
        labels: parameters.map(\.label),
        isCollection: isCollection
      )
    else {
      throw UnresolvedType(
        "a managed method changes a to-many relationship and is called as Xcode calls it, such as "
          + "'addToTags(_:)'; write a body for this one"
      )
    }
    let found = method.candidates.lazy.compactMap { name in
      owner.model?.property(name).map { (name, $0) }
    }.first
    guard let (name, property) = found else {
      if owner.model != nil {
        throw UnresolvedType(
          "the model has no relationship '\(method.candidates[0])'; add it, or remove the method"
        )
      }
      let isOrdered =
        types.contains(.foundation("NSOrderedSet")) || parameters.contains { $0.label == "at" }
      return ask(method, types, method.candidates[0], isOrdered: isOrdered, owner)
    }
    guard case .relationship(let relationship) = property, relationship.isToMany else {
      throw UnresolvedType("'\(name)' is no to-many relationship in the model; remove the method")
    }
    return ask(method, types, name, isOrdered: relationship.isOrdered, owner)
  }

  private func ask(
    _ method: ManagedMethod,
    _ types: [SymbolType],
    _ name: String,
    isOrdered: Bool,
    _ owner: Owner
  ) -> String {
    var call = method.call(isOrdered: isOrdered, slot: slot(name, owner))
    // A Swift set goes in as the class that the relationship takes.
    if case .generic(.standard("h"), _) = types.first {
      call = call.replacing("(first", with: "(first as NSSet")
    }
    return call
  }
}

extension SymbolType {
  fileprivate var isCollection: Bool {
    switch self {
    case .generic: true
    case .foundation("NSSet"), .foundation("NSOrderedSet"), .foundation("NSArray"),
      .foundation("NSIndexSet"), .essentials("IndexSet"):
      true
    case .standard, .nominal, .optional, .existential, .any, .anyObject: false
    }
  }
}
