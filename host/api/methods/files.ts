import { z } from 'zod'
import { listFolder } from '../../connections/home-folders.ts'
import type { Methods } from './method.ts'

export const fileMethods = (supportPath: string): Methods<'files.list'> => ({
	'files.list': {
		params: z.object({ path: z.string().max(4096).optional() }),
		run: ({ path }) => listFolder(path, supportPath),
	},
})
