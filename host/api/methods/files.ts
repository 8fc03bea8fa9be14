import { z } from 'zod'
import { listFolder } from '../../connections/home-folders.ts'
import { method } from './method.ts'

export const fileMethods = (supportPath: string) => ({
	/** Lists names of a folder within the home folder, for a field that takes a path. @param path a folder or a file */
	'files.list': method({
		params: z.object({ path: z.string().max(4096).optional() }),
		run: ({ path }) => listFolder(path, supportPath),
	}),
})
