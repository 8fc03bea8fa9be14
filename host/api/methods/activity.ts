import { z } from 'zod'
import type { ActivityLog } from '../../activity/activity-log.ts'
import type { ConnectedClients } from '../../activity/connected-clients.ts'
import type { Methods } from './method.ts'

/** The window shows the latest entries; the files hold the rest. */
const mostShown = 2000

export const activityMethods = (
	activity: ActivityLog,
	clients: ConnectedClients,
): Methods<Extract<keyof Methods, `activity.${string}`>> => ({
	'activity.list': { params: z.object({}), run: () => activity.newest(mostShown) },
	'activity.verify': { params: z.object({}), run: () => activity.verify() },
	'activity.clients': { params: z.object({}), run: async () => clients.list() },
})
