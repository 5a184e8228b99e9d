import CoreData
import Foundation
import SwiftData

/// The classes of `Pegase.store`.
enum Pegase {
  /// The bytes of a color, which only Apple's systems understand.
  final class NSColor: NSObject {
    let archive: Data

    init(archive: Data) { self.archive = archive }
  }

  final class ColorTransformer: ValueTransformer {
    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? { (value as? NSColor)?.archive }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
      (value as? Data).map(NSColor.init(archive:))
    }
  }

  @Model final class EntityAccount {
    var currencyCode: String = "EUR"
    var dateEcheancier: Date = .now
    var isAccount: Bool = true
    var isDemo: Bool = false
    var name: String = ""
    var nameIcon: String = ""
    @Attribute(.unique) var uuid: UUID = UUID()
    @Relationship(deleteRule: .cascade, inverse: \EntityBanqueInfo.account)
    var bank: EntityBanqueInfo?
    @Relationship(deleteRule: .cascade, inverse: \EntityBankStatement.account)
    var bankStatement: [EntityBankStatement]?
    @Relationship(deleteRule: .cascade, inverse: \EntityCheckBook.account)
    var carnetCheques: [EntityCheckBook]?
    @Relationship() var compteLie: EntityTransaction?
    @Relationship(deleteRule: .cascade, inverse: \EntitySchedule.account)
    var echeanciers: [EntitySchedule]?
    @Relationship(deleteRule: .cascade, inverse: \EntityIdentity.account)
    var identity: EntityIdentity?
    @Relationship(deleteRule: .cascade, inverse: \EntityInitAccount.account)
    var initAccount: EntityInitAccount?
    @Relationship(deleteRule: .cascade, inverse: \EntityPaymentMode.account)
    var paymentMode: [EntityPaymentMode]?
    @Relationship(deleteRule: .cascade, inverse: \EntityPreference.account)
    var preference: EntityPreference?
    @Relationship(deleteRule: .cascade, inverse: \EntityRubric.account) var rubric: [EntityRubric]?
    @Relationship(deleteRule: .cascade, inverse: \EntityStatus.account) var status: [EntityStatus]?
    @Relationship(deleteRule: .cascade, inverse: \EntityTransaction.account)
    var transactions: [EntityTransaction]?

    init() {}
  }

  @Model final class EntityBankStatement {
    var num: Int
    var startDate: Date = .now
    var startSolde: Double
    var interDate: Date = .now
    var interSolde: Double
    var endDate: Date = .now
    var endSolde: Double
    var cbDate: Date = .now
    var cbSolde: Double
    @Attribute(.externalStorage) var pdfDoc: Data?
    var pdfLink: String = ""
    @Attribute(.unique) var uuid: UUID = UUID()
    var account: EntityAccount

    init(
      num: Int,
      startSolde: Double,
      interSolde: Double,
      endSolde: Double,
      cbSolde: Double,
      account: EntityAccount
    ) {
      self.num = num
      self.startSolde = startSolde
      self.interSolde = interSolde
      self.endSolde = endSolde
      self.cbSolde = cbSolde
      self.account = account
    }
  }

  @Model final class EntityBanqueInfo {
    var adresse: String = ""
    var complement: String = ""
    var country: String = ""
    var cp: String = ""
    var email: String = ""
    var fonction: String = ""
    var mobile: String = ""
    var name: String = ""
    var nomBanque: String = ""
    var phone: String = ""
    var town: String = ""
    @Attribute(.unique) var uuid: UUID = UUID()
    var account: EntityAccount

    init(account: EntityAccount) {
      self.account = account
    }
  }

  @Model final class EntityCategory {
    var name: String
    var objectif: Double = 0.0
    @Attribute(.unique) var uuid: UUID = UUID()
    @Relationship(inverse: \EntitySchedule.category) var echeancier: [EntitySchedule]?
    var preference: EntityPreference?
    var rubric: EntityRubric?
    @Relationship(inverse: \EntitySousOperation.category) var sousOperations: [EntitySousOperation]?

    init(name: String) {
      self.name = name
    }
  }

  @Model final class EntityCheckBook {
    var name: String = ""
    var nbCheques: Int = 25
    var numPremier: Int = 1
    var numSuivant: Int = 10
    var prefix: String = "CH"
    @Attribute(.unique) var uuid: UUID = UUID()
    var account: EntityAccount?

    init() {}
  }

  @Model final class EntityFolderAccount {
    var isRoot: Bool = false
    var name: String = ""
    var nameImage: String = "folder.fill"
    @Attribute(.unique) var uuid: UUID = UUID()
    var children: [EntityAccount] = []

    init() {}
  }

  @Model final class EntityIdentity {
    var adress: String = ""
    var complement: String = ""
    var country: String = ""
    var cp: String = ""
    var email: String = ""
    var mobile: String = ""
    var name: String = "Dupont"
    var nameImage: String = ""
    var phone: String = ""
    var surName: String = "leon"
    var town: String = ""
    @Attribute(.unique) var uuid: UUID = UUID()
    var account: EntityAccount

    init(account: EntityAccount) {
      self.account = account
    }
  }
}
