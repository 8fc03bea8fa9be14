import leven from 'leven'

/** Upper limit of compared names, and of their length: the comparison takes the product of both lengths. */
const [maxNames, maxLength] = [10_000, 200]

/** Returns up to `most` names that differ from this one by few letters or contain it, the nearest first. */
export function nearestTo(name: string, names: readonly string[], most = 1): readonly string[] {
	const wanted = name.toLowerCase()
	if (wanted === '' || wanted.length > maxLength) return []
	const maxDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1
	const distanceTo = (candidate: string) => {
		const other = candidate.toLowerCase()
		const isPart = wanted.length > 2 && (other.includes(wanted) || (other.length > 2 && wanted.includes(other)))
		return isPart ? 1 : leven(wanted, other, { maxDistance })
	}
	return names
		.slice(0, maxNames)
		.filter(candidate => candidate.length <= maxLength)
		.map(candidate => ({ candidate, distance: distanceTo(candidate) }))
		.filter(({ distance }) => distance < maxDistance)
		.sort((a, b) => a.distance - b.distance)
		.slice(0, most)
		.map(({ candidate }) => candidate)
}
