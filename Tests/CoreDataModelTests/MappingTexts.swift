/// The descriptions of the real mapping models.
enum MappingTexts {
  static let sampleModel = """
    CarToCar: custom, Car → Car
      policy REPLACE_AT_RUNTIME.V2to3MakerPolicy
      source FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Car", "TRUEPREDICATE"), $manager.sourceContext, NO)
      markedForDeletionAsOf = $source.markedForDeletionAsOf
      model = $source.model
      numberPlate = $source.numberPlate
      createdBy = (as made)
      owner = FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "PersonToPerson", $source.owner)
      previousOwners = FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "PersonToPerson", $source.owner)

    LuxuryCarToLuxuryCar: custom, LuxuryCar → LuxuryCar
      policy REPLACE_AT_RUNTIME.V2to3MakerPolicy
      source FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "LuxuryCar", "TRUEPREDICATE"), $manager.sourceContext, NO)
      isLimitedEdition = $source.isLimitedEdition
      markedForDeletionAsOf = $source.markedForDeletionAsOf
      model = $source.model
      numberPlate = $source.numberPlate
      createdBy = (as made)
      owner = FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "PersonToPerson", $source.owner)
      previousOwners = FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "PersonToPerson", $source.owner)

    PersonToPerson: copy, Person → Person
      source FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Person", "TRUEPREDICATE"), $manager.sourceContext, NO)
      firstName = $source.firstName
      lastName = $source.lastName
      updatedAt = $source.updatedAt
      cars = FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "cars", $source.cars)
      previousCars = FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "cars", $source.cars)

    SportCarToSportCar: custom, SportCar → SportCar
      policy REPLACE_AT_RUNTIME.V2to3MakerPolicy
      source FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "SportCar", "TRUEPREDICATE"), $manager.sourceContext, NO)
      markedForDeletionAsOf = $source.markedForDeletionAsOf
      model = $source.model
      numberPlate = $source.numberPlate
      createdBy = (as made)
      owner = FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "PersonToPerson", $source.owner)
      previousOwners = FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "PersonToPerson", $source.owner)

    Maker: add, nothing → Maker
      name = (as made)
      cars = (as made)
    """

  /// By the version of the source.
  static let moody = [
    2: """
    MoodToMood: transform, Mood → Mood
      source FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Mood", "TRUEPREDICATE"), $manager.sourceContext, NO)
      colors = $source.colors
      creatorID = $source.creatorID
      date = $source.date
      latitude = $source.latitude
      longitude = $source.longitude
      markedForDeletionDate = $source.markedForDeletionDate
      markedForRemoteDeletion = $source.markedForRemoteDeletion
      rating = $source.rating
      remoteID = $source.remoteID
      continent = FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "ContinentToContinent", $source.country.continent)
      country = FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "CountryToCountry", $source.country)

    CountryToCountry: transform, Country → Country
      source FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Country", "TRUEPREDICATE"), $manager.sourceContext, NO)
      markedForDeletionDate = $source.markedForDeletionDate
      numberOfMoods = $source.numberOfMoods
      numericISO3166Code = $source.numericISO3166Code
      uniquenessDummy = $source.uniquenessDummy
      updatedAt = $source.updatedAt
      continent = FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "continent", $source.continent)
      moods = FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "moods", $source.moods)

    ContinentToContinent: transform, Continent → Continent
      source FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Continent", "TRUEPREDICATE"), $manager.sourceContext, NO)
      markedForDeletionDate = $source.markedForDeletionDate
      numberOfCountries = $source.numberOfCountries
      numberOfMoods = $source.numberOfMoods
      numericISO3166Code = $source.numericISO3166Code
      uniquenessDummy = $source.uniquenessDummy
      updatedAt = $source.updatedAt
      countries = FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "countries", $source.countries)
      moods = FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "MoodToMood", $source.countries.@distinctUnionOfSets.moods)
    """,
    3: """
    ContinentToContinent: transform, Continent → Continent
      source FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Continent", "TRUEPREDICATE"), $manager.sourceContext, NO)
      markedForDeletionDate = $source.markedForDeletionDate
      numberOfCountries = $source.numberOfCountries
      numberOfMoods = $source.numberOfMoods
      numericISO3166Code = $source.numericISO3166Code
      uniquenessDummy = $source.uniquenessDummy
      updatedAt = $source.updatedAt
      countries = FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "countries", $source.countries)
      moods = FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "moods", $source.moods)

    CountryToCountry: transform, Country → Country
      source FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Country", "TRUEPREDICATE"), $manager.sourceContext, NO)
      markedForDeletionDate = $source.markedForDeletionDate
      numberOfMoods = $source.numberOfMoods
      numericISO3166Code = $source.numericISO3166Code
      uniquenessDummy = $source.uniquenessDummy
      updatedAt = $source.updatedAt
      continent = FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "continent", $source.continent)
      moods = FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "moods", $source.moods)

    MoodToMood: transform, Mood → Mood
      source FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Mood", "TRUEPREDICATE"), $manager.sourceContext, NO)
      colors = $source.colors
      creatorID = $source.creatorID
      date = $source.date
      latitude = $source.latitude
      longitude = $source.longitude
      markedForDeletionDate = $source.markedForDeletionDate
      markedForRemoteDeletion = $source.markedForRemoteDeletion
      rating = $source.rating
      remoteID = $source.remoteID
      continent = FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "continent", $source.continent)
      country = FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "country", $source.country)
    """,
    4: """
    MoodToMood: transform, Mood → Mood
      source FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Mood", "TRUEPREDICATE"), $manager.sourceContext, NO)
      colors = $source.colors
      creatorID = $source.creatorID
      date = $source.date
      latitude = $source.latitude
      longitude = $source.longitude
      markedForDeletionDate = $source.markedForDeletionDate
      markedForRemoteDeletion = $source.markedForRemoteDeletion
      rating = $source.rating
      remoteID = $source.remoteID
      country = FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "country", $source.country)

    CountryToCountry: transform, Country → Country
      source FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Country", "TRUEPREDICATE"), $manager.sourceContext, NO)
      isoContinent = $source.continent.numericISO3166Code
      markedForDeletionDate = $source.markedForDeletionDate
      numberOfMoods = $source.numberOfMoods
      numericISO3166Code = $source.numericISO3166Code
      uniquenessDummy = $source.uniquenessDummy
      updatedAt = $source.updatedAt
      moods = FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "moods", $source.moods)
    """,
    5: """
    Continent: add, nothing → Continent
      numericISO3166Code = (as made)
      countries = (as made)

    CountryToCountry: custom, Country → Country
      policy Migrations.Country5ToCountry6Policy
      source FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Country", "TRUEPREDICATE"), $manager.sourceContext, NO)
      markedForDeletionDate = $source.markedForDeletionDate
      numberOfMoods = $source.numberOfMoods
      numericISO3166Code = $source.numericISO3166Code
      uniquenessDummy = $source.uniquenessDummy
      updatedAt = $source.updatedAt
      continent = (as made)
      moods = FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "moods", $source.moods)

    MoodToMood: transform, Mood → Mood
      source FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Mood", "TRUEPREDICATE"), $manager.sourceContext, NO)
      colors = $source.colors
      creatorID = $source.creatorID
      date = $source.date
      latitude = $source.latitude
      longitude = $source.longitude
      markedForDeletionDate = $source.markedForDeletionDate
      markedForRemoteDeletion = $source.markedForRemoteDeletion
      rating = $source.rating
      remoteID = $source.remoteID
      country = FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "country", $source.country)
    """,
  ]
}
