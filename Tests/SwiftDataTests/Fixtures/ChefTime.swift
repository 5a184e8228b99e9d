// swift-format-ignore-file: NoLeadingUnderscores, AlwaysUseLowerCamelCase

import Foundation
import SwiftData

/// The classes of `ChefTime.store`.
enum ChefTime {
  enum FolderType: Codable {
    case systemAll
    case systemStandard
    case systemRecentlyDeleted
    case user
  }

  @Model final class SDFolder {
    @Attribute(.unique) var id: UUID
    var name: String
    var imageData: Data?
    var folderType: FolderType
    weak var parentFolder: SDFolder?
    @Relationship(deleteRule: .cascade, inverse: \SDFolder.parentFolder)
    var folders: [SDFolder]
    @Relationship(deleteRule: .cascade, inverse: \SDRecipe.parentFolder)
    var recipes: [SDRecipe]

    init(name: String, folderType: FolderType = .user) {
      id = UUID()
      self.name = name
      self.folderType = folderType
      folders = []
      recipes = []
    }
  }

  @Model final class SDRecipe {
    @Attribute(.unique) var id: UUID
    weak var parentFolder: SDFolder?
    var name: String = ""
    var imageData: [Data]
    @Relationship(deleteRule: .cascade, inverse: \SDAboutSection.parentRecipe)
    var aboutSections: [SDAboutSection]
    @Relationship(deleteRule: .cascade, inverse: \SDIngredientSection.parentRecipe)
    var ingredientSections: [SDIngredientSection]
    @Relationship(deleteRule: .cascade, inverse: \SDStepSection.parentRecipe)
    var stepSections: [SDStepSection]

    init(name: String) {
      id = UUID()
      self.name = name
      imageData = []
      aboutSections = []
      ingredientSections = []
      stepSections = []
    }
  }

  @Model final class SDAboutSection {
    @Attribute(.unique) var id: UUID
    weak var parentRecipe: SDRecipe?
    var name: String = ""
    var description_: String = ""

    init() { id = UUID() }
  }

  @Model final class SDIngredientSection {
    @Attribute(.unique) var id: UUID
    weak var parentRecipe: SDRecipe?
    var name: String = ""
    @Relationship(deleteRule: .cascade, inverse: \SDIngredient.parentIngredientSection)
    var ingredients: [SDIngredient]

    init() {
      id = UUID()
      ingredients = []
    }
  }

  @Model final class SDIngredient {
    @Attribute(.unique) var id: UUID
    weak var parentIngredientSection: SDIngredientSection?
    var name: String = ""
    var amount: Double = 0
    var measure: String = ""

    init() { id = UUID() }
  }

  @Model final class SDStepSection {
    @Attribute(.unique) var id: UUID
    weak var parentRecipe: SDRecipe?
    var name: String = ""
    @Relationship(deleteRule: .cascade, inverse: \SDStep.parentStepSection)
    var steps: [SDStep]

    init() {
      id = UUID()
      steps = []
    }
  }

  @Model final class SDStep {
    @Attribute(.unique) var id: UUID
    weak var parentStepSection: SDStepSection?
    var description_: String = ""
    var imageData: [Data]

    init() {
      id = UUID()
      imageData = []
    }
  }
}
