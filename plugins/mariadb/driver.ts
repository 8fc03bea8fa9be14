import { defineDriver } from '@roundhouse/kit'
import { readAddress } from './address.ts'
import { connect } from './connect.ts'

export default defineDriver({ connect, readAddress })
