import { faultOfFileName, plainFileName } from '../../base/file-name.ts'
import { requestErrors } from './errors.ts'

/**
 * Paths of saved requests, as the window and AI clients send them: segments separated by slashes, below one folder.
 * Refuses what could leave it, reach another program's files (`.git`), or is no valid name on some system.
 */

const deepest = 8

/** @returns the segments @throws HostError `request/name_invalid` */
export function segmentsOf(path: string): readonly string[] {
	const segments = path.split('/')
	const refuse = (reason: string) => requestErrors.make('name_invalid', { name: path.slice(0, 200), reason })
	if (segments.length > deepest) throw refuse(`the path has more than ${deepest} parts`)
	for (const segment of segments) {
		const fault = faultOfFileName(segment)
		if (fault !== undefined) throw refuse(`a part of it ${fault}`)
	}
	return segments
}

/** Returns the file for a request's name with its folders: `reports/By year: all` → `reports/By year- all.es`. */
export function fileFor(name: string, extension: string): string {
	return `${segmentsOf(name.split('/').map(plainFileName).join('/')).join('/')}.${extension}`
}
