/** Words for the texts of the sample. */

export const givenNames = words(
	'Ada Amara Anselm Beatriz Chidi Clara Dalia Diego Elif Emil Farah Femi Greta Hana Ivo Jasmin Jun Kaveh Lena Linnea Mateo Mira Nadia Niko Oskar Priya Quentin Rosa Samir Sofia Tariq Tove Uma Viktor Wanda Xenia Yara Zoë',
)
export const familyNames = words(
	'Abara Almeida Andersen Bianchi Castellanos Demir Dubois Eriksson Farkas Ferreira García Haddad Horvat Ishikawa Jansen Kaya Kowalski Lindqvist Marković Moreau Müller Nakamura Novák Okafor Petrov Quispe Rossi Sato Silva Suzuki Tanaka Ueda Vargas Weiss Yılmaz Zieliński',
)
export const adjectives = words(
	'Amber Broken Burning Crooked Distant Electric Empty Forgotten Glass Hidden Hollow Iron Last Lost Midnight Northern Paper Patient Quiet Restless Salt Second Silent Silver Sleeping Slow Small Stolen Winter Yellow',
)
export const nouns = words(
	'Archive Atlas Bridge Carriage Clock Coast Engine Garden Harbour Harvest House Island Lantern Letter Library Lighthouse Machine Map Meadow Mirror Mountain Orchard Platform Railway River Season Signal Station Tide Tower Turntable Voyage Window Workshop',
)
export const places = words(
	'Aarhus Bergamo Bilbao Bergen Cork Ghent Graz Innsbruck Kraków Leiden Lisbon Ljubljana Lucerne Malmö Nantes Odense Oulu Porto Riga Rouen Salamanca Tallinn Tartu Trieste Turku Uppsala Utrecht Valencia Vilnius Zadar',
)
const verbs = words(
	'crossed followed forgot found heard kept left lost measured missed opened cachedOrder repaired sold waited watched',
)

/** Returns a meaningless sentence with words that searches can distinguish. */
export function sentence(random: { pick<T>(items: readonly T[]): T }): string {
	const { pick } = { pick: <T>(items: readonly T[]) => random.pick(items) }
	return `The ${pick(adjectives).toLowerCase()} ${pick(nouns).toLowerCase()} in ${pick(places)} ${pick(verbs)} the ${pick(adjectives).toLowerCase()} ${pick(nouns).toLowerCase()}.`
}

function words(text: string): readonly string[] {
	return text.split(' ')
}
