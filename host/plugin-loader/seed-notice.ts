/** After this age, what came with the host is called old. */
const oldAfterMs = 90 * 24 * 3600 * 1000

/**
 * Explains a list that has only the drivers that came with the host.
 * @param seededAt when they were packed with it, ISO 8601
 */
export function seedNotice(seededAt: string, now: Date): string {
	const short = 'Only the drivers that came with Roundhouse are listed, because its plugin registry was not read yet.'
	const isOld = now.getTime() - Date.parse(seededAt) > oldAfterMs
	return isOld ? `${short} They are from ${seededAt.slice(0, 10)} and may be out of date.` : short
}
