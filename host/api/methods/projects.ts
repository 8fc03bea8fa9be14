import { z } from 'zod'
import type { Projects } from '../../connections/project/projects.ts'
import type { Sessions } from '../../connections/sessions.ts'
import type { Drivers } from '../../plugin-loader/drivers.ts'
import { method } from './method.ts'

const folder = z.string().min(1, 'Choose a folder.').max(4_096)

/** Folders whose `roundhouse.json` a team shares. */
export function projectMethods(projects: Projects, sessions: Sessions, drivers: Drivers) {
	return {
		/** Shows what opening the folder would do. Nothing is made. */
		'projects.read': method({ params: z.object({ folder }), run: ({ folder }) => projects.read(folder) }),
		/** Does it. `digest`: of the text that the user was shown and agreed to. */
		'projects.open': method({
			params: z.object({ folder, digest: z.string() }),
			run: async (asked, call) => {
				const { opened, moved } = await projects.open(asked, call)
				for (const { id, driverId, reach } of moved) {
					await sessions.close(id)
					// The driver's process may keep sockets to addresses that were allowed.
					if (reach.some(({ isAllowed }) => isAllowed)) await drivers.endConnections(driverId)
				}
				return opened.map(({ id, name }) => ({ id, name }))
			},
		}),
		/** Writes connections into the file of a folder, without secrets. Names what stays on this machine. */
		'projects.write': method({
			params: z.object({
				folder,
				ids: z.array(z.string()).min(1, 'Choose a connection.').max(200).readonly(),
				/** Folder of statements within the project. */
				requests: z.string().max(200).optional(),
			}),
			run: (asked, call) => projects.write(asked, call),
		}),
	}
}
