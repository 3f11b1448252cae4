import type { Trx as Db } from '#db/client.ts'
import { createMatrixWorld as makeWorld, type MatrixWorld as World } from './world.ts'

/** The roles of the soak, which are asked for thousands of times in one community: none of them keeps another from writing. */
export const SOAK_ROLES = ['anonymous', 'other', 'owner', 'admin', 'expired'] as const
export type SoakRole = (typeof SOAK_ROLES)[number]

export interface SoakWorld extends World {
  /** The Cookie header of each role; empty for nobody. */
  cookies: Record<SoakRole, string>
}

/** The matrix's community with the soak's roles. @param adminEmail who the server takes for the admin */
export async function createSoakWorld(db: Db, dataDir: string, adminEmail: string): Promise<SoakWorld> {
  const world = await makeWorld(db, dataDir, adminEmail)
  const [other, owner, admin, expired] = [
    await world.cookieOf('member'),
    await world.cookieOf('owner'),
    await world.cookieOf('admin'),
    await world.cookieOf('expired'),
  ]
  return { ...world, cookies: { anonymous: '', other, owner, admin, expired } }
}
