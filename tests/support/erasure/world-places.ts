/** Cells of a degree in inner Spain, further apart than a found dog and a lost one may be to be compared. */
const [ROWS, COLUMNS] = [5, 5]

/**
 * How far from Madrid the dogs of a world are lost and found, in degrees. In one place each world's would be compared with every
 * other's, which is most of what the server would do.
 * @param number which world it is; some stay in Madrid, where all members ask for alerts
 */
export const worldOffset = (number: number): { lat: number; lon: number } => ({
  lat: (number % ROWS) - 2,
  lon: (Math.floor(number / ROWS) % COLUMNS) - 2,
})

/** A place near Madrid, moved to where a world's dogs are. */
export const placeOf = (number: number, near: { lat: number; lon: number }): { lat: number; lon: number } => {
  const { lat, lon } = worldOffset(number)
  return { lat: near.lat + lat, lon: near.lon + lon }
}
