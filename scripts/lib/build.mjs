// Builds changed sources, in a process of its own: a run of the tests goes on meanwhile.
import { build } from './setup.mjs'

build()
