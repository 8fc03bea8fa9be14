import { subscribe } from 'node:diagnostics_channel'
import { authorFrame, refused } from './load-driver.ts'

/** Channels on which Node publishes what its permission model denies. */
const channels = ['fs', 'net', 'child', 'worker', 'addon', 'wasi'].map(name => `node:permission-model:${name}`)

interface Denial {
	readonly permission: string
	readonly resource: string
}

/** Logs each permission that is denied when it happens, also if the driver catches the error. */
export function logDenials(log: (message: string) => void): void {
	for (const channel of channels) {
		subscribe(channel, message => {
			// Node's documentation gives this shape.
			const { permission, resource } = message as Denial
			const what = refused[permission] ?? `uses ${permission}, which no driver may do`
			log(`denied: it ${what}: ${resource}${authorFrame(new Error())}`)
		})
	}
}
