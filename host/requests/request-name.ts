import { faultOfFileName, plainFileName } from '../base/file-name.ts'
import { requestErrors } from './errors.ts'

/**
 * Paths of saved requests, as the window and AI clients give them: segments with a slash between them, below one folder.
 * What could lead out of it, into what a program keeps there (`.git`), or is no name on some system is refused.
 */

const deepest = 8

/** @returns the segments @throws HostError `request/name_invalid` */
export function segmentsOf(path: string): readonly string[] {
	const segments = path.split('/')
	const refuse = (reason: string) => requestErrors.make('name_invalid', { name: path.slice(0, 200), reason })
	if (segments.length > deepest) throw refuse(`it lies more than ${deepest} folders deep`)
	for (const segment of segments) {
		const fault = faultOfFileName(segment)
		if (fault !== undefined) throw refuse(`a part of it ${fault}`)
	}
	return segments
}

/** The file for what a person calls a request, folders before it: `reports/By year: all` → `reports/By year- all.es`. */
export function fileFor(name: string, extension: string): string {
	return `${segmentsOf(name.split('/').map(plainFileName).join('/')).join('/')}.${extension}`
}
