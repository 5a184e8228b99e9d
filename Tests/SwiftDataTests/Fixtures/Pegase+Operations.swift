// swift-format-ignore-file: NoLeadingUnderscores, AlwaysUseLowerCamelCase

import Foundation
import SwiftData

extension Pegase {
  @Model final class EntityInitAccount {
    var bic: String = ""
    var cleRib: String = ""
    var codeAccount: String = ""
    var codeBank: String = ""
    var codeGuichet: String = ""
    var engage: Double = 0.0
    var iban: String = ""
    var prevu: Double = 0.0
    var realise: Double = 0.0
    @Attribute(.unique) var uuid: UUID = UUID()
    var account: EntityAccount

    init(account: EntityAccount) {
      self.account = account
    }
  }

  @Model final class EntityPaymentMode {
    @Attribute(.transformable(by: ColorTransformer.self)) var color: NSColor
    var name: String = ""
    @Attribute(.unique) var uuid: UUID = UUID()
    var account: EntityAccount

    init(color: NSColor, account: EntityAccount) {
      self.color = color
      self.account = account
    }
  }

  @Model final class EntityPreference {
    var signe: Bool = true
    @Attribute(.unique) var uuid: UUID = UUID()
    var account: EntityAccount
    @Relationship(inverse: \EntityCategory.preference) var category: EntityCategory?
    var paymentMode: EntityPaymentMode?
    var status: EntityStatus?

    init(account: EntityAccount) {
      self.account = account
    }
  }

  @Model final class EntityRubric {
    @Attribute(.transformable(by: ColorTransformer.self)) var color: NSColor
    var name: String = ""
    @Attribute(.ephemeral) var total: Double = 0.0
    @Attribute(.unique) var uuid: UUID = UUID()
    var account: EntityAccount
    @Relationship(deleteRule: .cascade) var categorie: [EntityCategory] = []

    init(color: NSColor, account: EntityAccount) {
      self.color = color
      self.account = account
    }
  }

  @Model final class EntitySchedule {
    var amount: Double = 0.0
    var dateCree: Date = .now
    var dateDebut: Date = .now
    var dateFin: Date = .now
    var dateModifie: Date = .now
    var dateValeur: Date = .now
    var frequence: Int16 = 0
    var isProcessed: Bool = false
    var libelle: String = ""
    var nextOccurrence: Int16 = 0
    var occurrence: Int16 = 0
    var typeFrequence: Int16 = 0
    @Attribute(.unique) var uuid: UUID = UUID()
    var account: EntityAccount
    var category: EntityCategory?
    @Relationship() var linkedAccount: EntityAccount?
    @Relationship() var paymentMode: EntityPaymentMode?

    init(account: EntityAccount) {
      self.account = account
    }
  }

  @Model final class EntitySousOperation {
    var amount: Double = 0.0
    var libelle: String?
    @Attribute(.unique) var uuid: UUID = UUID()
    var category: EntityCategory?
    var transaction: EntityTransaction?

    init() {}
  }

  @Model final class EntityStatus {
    @Attribute(.transformable(by: ColorTransformer.self)) var color: NSColor
    var name: String
    var rawType: Int
    @Attribute(.unique) var uuid: UUID = UUID()
    var account: EntityAccount

    init(color: NSColor, name: String, rawType: Int, account: EntityAccount) {
      self.color = color
      self.name = name
      self.rawType = rawType
      self.account = account
    }
  }

  @Model final class EntityTransaction {
    private var _sectionIdentifier: String?
    var bankStatement: Double = 0.0
    var checkNumber: String = ""
    var createAt: Date = .now
    var dateOperation: Date = .now
    var datePointage: Date = .now
    @Attribute(.ephemeral) var solde: Double? = 0.0
    var updatedAt: Date = .now
    @Attribute(.unique) var uuid: UUID = UUID()
    var account: EntityAccount
    @Relationship() var paymentMode: EntityPaymentMode?
    @Relationship(deleteRule: .cascade, inverse: \EntitySousOperation.transaction)
    var sousOperations: [EntitySousOperation] = []
    @Relationship() var status: EntityStatus?

    init(account: EntityAccount) {
      self.account = account
    }

    var sectionIdentifier: String? { _sectionIdentifier }
  }
}
