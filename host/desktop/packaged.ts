import { join } from 'node:path'
import type { HostProgram } from './host-process.ts'

/**
 * Returns the host beside a packaged shell, as scripts/release lays it out: its program and its Node are resources of
 * the application.
 */
export function packagedProgram(resources: string, platform: NodeJS.Platform): HostProgram {
	return {
		node: join(resources, 'node', 'bin', platform === 'win32' ? 'node.exe' : 'node'),
		launcher: join(resources, 'roundhouse', 'host', 'bin', 'roundhouse.mjs'),
		registry: [],
	}
}
