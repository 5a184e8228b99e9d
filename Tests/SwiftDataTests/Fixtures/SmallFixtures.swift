import Foundation
import SwiftData

// The classes of real stores, written from what the models in them say.

enum ResourcesManager {
  @Model final class Item {
    @Attribute(.unique) var name: String
    var craftingRecipe: CraftingRecipe?

    init(name: String) { self.name = name }
  }

  @Model final class CraftingRecipe {
    var producedItem: Item?
    var producedItemCount: String = "1"
    var requiredComponents: [Component] = []

    init(producedItem: Item? = nil) { self.producedItem = producedItem }
  }

  @Model final class Component {
    let id = UUID()
    var item: Item?
    var count: Int = 1
    var craftingRecipe: CraftingRecipe?

    init(item: Item? = nil) { self.item = item }
  }
}

enum CartKit {
  @Model final class CartModel {
    @Attribute(.unique) var id: String
    var storeId: String
    var profileId: String?
    var status: String
    var createdAt: Date
    var updatedAt: Date
    var metadataJSON: Data?
    var displayName: String?
    var context: String?
    var storeImageURLString: String?
    var minSubtotalAmount: Decimal?
    var minSubtotalCurrencyCode: String?
    var maxItemCount: Int?
    @Relationship(deleteRule: .cascade) var items: [CartItemModel]

    init(id: String, storeId: String, status: String) {
      self.id = id
      self.storeId = storeId
      self.status = status
      createdAt = Date(timeIntervalSinceReferenceDate: 0)
      updatedAt = Date(timeIntervalSinceReferenceDate: 0)
      items = []
    }
  }

  @Model final class CartItemModel {
    @Attribute(.unique) var id: String
    var productId: String
    var quantity: Int
    var unitPriceAmount: Decimal
    var unitPriceCurrencyCode: String
    var totalPriceAmount: Decimal
    var totalPriceCurrencyCode: String
    @Relationship(deleteRule: .cascade) var modifiers: [CartItemModifierModel]
    var imageURLString: String?
    var availableStock: Int?

    init(id: String, productId: String, price: Decimal) {
      self.id = id
      self.productId = productId
      quantity = 1
      unitPriceAmount = price
      unitPriceCurrencyCode = "EUR"
      totalPriceAmount = price
      totalPriceCurrencyCode = "EUR"
      modifiers = []
    }
  }

  @Model final class CartItemModifierModel {
    @Attribute(.unique) var id: String
    var name: String
    var priceDeltaAmount: Decimal
    var priceDeltaCurrencyCode: String

    init(id: String, name: String) {
      self.id = id
      self.name = name
      priceDeltaAmount = 0
      priceDeltaCurrencyCode = "EUR"
    }
  }
}

enum FreezeRayV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [User.self] }

  @Model final class User {
    var name: String?
    var createdAt: Date?

    init(name: String?) { self.name = name }
  }
}

enum FreezeRayV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [User.self] }

  @Model final class User {
    var name: String?
    var email: String?
    var createdAt: Date?

    init(name: String?) { self.name = name }
  }
}

enum SwiftRide {
  @Model final class Connection {
    init() {}
  }

  @Model final class Route {
    var name: String

    init(name: String) { self.name = name }
  }

  @Model final class Stop {
    var id: UUID
    var name: String
    var latitude: Double
    var longitude: Double

    init(name: String, latitude: Double, longitude: Double) {
      id = UUID()
      self.name = name
      self.latitude = latitude
      self.longitude = longitude
    }
  }

  @Model final class Schedule {
    @Relationship(deleteRule: .cascade) var route: Route
    @Relationship(deleteRule: .cascade) var stop: Stop
    var time: Date
    var stopOrder: Int

    init(route: Route, stop: Stop, time: Date, stopOrder: Int) {
      self.route = route
      self.stop = stop
      self.time = time
      self.stopOrder = stopOrder
    }
  }
}

enum WelcomeTo {
  @Model final class Item {
    var timestamp: Date
    var number: Int

    init(timestamp: Date, number: Int) {
      self.timestamp = timestamp
      self.number = number
    }
  }
}
