import Foundation
import SwiftData

/// The classes of `Cocktails.store`.
enum Cocktails {
  enum Glassware: String, Codable, CaseIterable {
    case blueBlazerMugs = "Blue Blazer Mugs"
    case chilled8OzFizzGlass = "Chilled 8 oz. Fizz Glass"
    case collins = "Collins"
    case coupe = "Coupe"
    case doubleOldFashioned = "Double Old Fashioned"
    case doubleOldFashionedHalfAsparagusSaltRim = "Double Old Fashioned (half asparagus salt rim)"
    case flute = "Flute"
    case frozenSingleOldFashioned = "Frozen Single Old Fashioned"
    case hurricaneGlass = "Hurricane Glass"
    case largeWineGlass = "Large Wine Glass"
    case martini = "Martini"
    case milkshakeGlass = "Milkshake Glass"
    case snifterFlipGlass = "Snifter (Flip Glass)"
    case stemmed = "Stemmed"
    case tikiMug = "Tiki Mug"
  }

  enum Ice: String, Codable, CaseIterable {
    case crackedKoldDraft = "Cracked Kold Draft"
    case koldDraftIce = "Kold Draft ice"
    case largeCube = "Large cube"
    case pebbleIce = "Pebble ice"
  }

  enum Variation: String, Codable, CaseIterable {
    case airMail = "Air Mail"
    case algonquin = "Algonquin"
    case amarettoSour = "Amaretto Sour"
    case betweenTheSheets = "Between the Sheets"
    case bloodyMary = "Bloody Mary"
    case brownDerby = "Brown Derby"
    case cloverClub = "Clover Club"
    case eastSide = "East Side"
    case espressoMartini = "Espresso Martini"
    case french75 = "French 75"
    case gimlet = "Gimlet"
    case ginFizz = "Gin Fizz"
    case majorBailey = "Major Bailey"
    case pimsCup = "Pims Cup"
    case piaColada = "Piña Colada"
    case queensParkSwizzle = "Queens Park Swizzle"
    case rememberTheMaine = "Remember the Maine"
    case saturn = "Saturn"
    case whiskeySour = "Whiskey Sour"
    case zombie = "Zombie"
  }

  enum Unit: String, Codable, CaseIterable {
    case barSpoon = "Bar-spoon"
    case gentlyMuddled = "Gently muddled"
    case muddled = "Muddled"
    case pinch = "Pinch"
    case spray = "Spray"
    case whole = "Whole"
    case dash
    case drop
    case oz
    case tsp
  }

  enum Collection: Int, Codable, CaseIterable {
    case one = 1
    case two, three, four, five, six
  }

  enum HistoricSpec: Codable, CaseIterable {
    case algonquin, alaska, betweenTheSheets, bloodAndSand, bramble, bobbyBurns, chocolateCocktail
    case elDiablo, fogCutter, ginFizz, gimlet, silverFizz, hotToddy, mexicanFiringSquad
    case modernCocktail
  }

  struct Author: Codable, Equatable {
    var id: UUID
    var person: String?
    var place: String?
    var year: String?
  }

  struct Instruction: Codable, Equatable {
    var id: UUID
    var step: Int
    var method: String
  }

  struct BuildOrder: Codable, Equatable {
    var instructions: [Instruction]
  }

  struct Tagged: Codable, Equatable {
    var name: String
    var ingredientType: [String: [String: String]]
  }

  struct Tags: Codable, Equatable {
    var flavors: [String]?
    var profiles: [String]?
    var styles: [String]?
    var booze: [Tagged]?
    var nA: [Tagged]?
  }

  struct Prep: Codable, Equatable {
    var id: UUID
    var prepIngredientName: String
    var prepRecipe: [Instruction]
  }

  @Model final class Cocktail {
    #Unique<Cocktail>([\.cocktailName])
    #Index<Cocktail>([\.cocktailName], [\.collectionName], [\.cocktailName, \.collectionName])

    var id = UUID()
    var cocktailName: String
    var glasswareType: Glassware
    var garnish: [Garnish]
    var ice: Ice?
    var author: Author?
    @Relationship(deleteRule: .cascade) var spec: [Ingredient]
    var buildOrder: BuildOrder?
    var compiledTags: Tags
    var variation: Variation?
    var variationName: String?
    var collection: Collection?
    var collectionName: String
    var titleCocktail: Bool?
    var historicSpec: HistoricSpec?
    var favorite: Bool
    var isCustomCocktail: Bool
    var notes: String?

    init(cocktailName: String, glasswareType: Glassware) {
      self.cocktailName = cocktailName
      self.glasswareType = glasswareType
      garnish = []
      spec = []
      compiledTags = Tags()
      collectionName = ""
      favorite = false
      isCustomCocktail = true
    }
  }

  @Model final class Garnish {
    @Attribute(.unique) var name: String
    var cocktails: [Cocktail]?

    init(name: String) { self.name = name }
  }

  @Model final class Ingredient {
    var id: UUID
    var ingredientBase: IngredientBase
    var value: Double
    var unit: Unit

    init(ingredientBase: IngredientBase, value: Double, unit: Unit) {
      id = UUID()
      self.ingredientBase = ingredientBase
      self.value = value
      self.unit = unit
    }
  }

  @Model final class IngredientBase {
    var id: UUID
    @Attribute(.unique) var name: String
    var info: String?
    var baseCategory: String
    var umbrellaCategory: String
    var specialtyCategory: String
    var tags: Tags?
    var prep: Prep?
    var isCustom: Bool = false

    init(name: String) {
      id = UUID()
      self.name = name
      baseCategory = ""
      umbrellaCategory = ""
      specialtyCategory = ""
    }
  }
}
