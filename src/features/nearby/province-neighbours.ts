/**
 * The provinces that touch each one, by INE number. Taken from the borders of public/mapa/provincias.json (IGN, CC BY 4.0, by way of `es-atlas`;
 * data/README.md, «The base map»), with which a test compares them.
 */
export const LAND_NEIGHBOURS: Readonly<Record<string, string>> = {
  '01': '09 20 26 31 48',
  '02': '03 13 16 18 23 30 46',
  '03': '02 30 46',
  '04': '18 30',
  '05': '10 28 37 40 45 47',
  '06': '10 13 14 21 41 45',
  '08': '17 25 43',
  '09': '01 26 34 39 40 42 47 48',
  '10': '05 06 37 45',
  '11': '21 29 41',
  '12': '43 44 46',
  '13': '02 06 14 16 23 45',
  '14': '06 13 18 23 29 41',
  '15': '27 36',
  '16': '02 13 19 28 44 45 46',
  '17': '08 25',
  '18': '02 04 14 23 29 30',
  '19': '16 28 40 42 44 50',
  '20': '01 31 48',
  '21': '06 11 41',
  '22': '25 31 50',
  '23': '02 13 14 18',
  '24': '27 32 33 34 39 47 49',
  '25': '08 17 22 43 50',
  '26': '01 09 31 42 50',
  '27': '15 24 32 33 36',
  '28': '05 16 19 40 45',
  '29': '11 14 18 41',
  '30': '02 03 04 18',
  '31': '01 20 22 26 50',
  '32': '24 27 36 49',
  '33': '24 27 39',
  '34': '09 24 39 47',
  '36': '15 27 32',
  '37': '05 10 47 49',
  '39': '09 24 33 34 48',
  '40': '05 09 19 28 42 47',
  '41': '06 11 14 21 29',
  '42': '09 19 26 40 50',
  '43': '08 12 25 44 50',
  '44': '12 16 19 43 46 50',
  '45': '05 06 10 13 16 28',
  '46': '02 03 12 16 44',
  '47': '05 09 24 34 37 40 49',
  '48': '01 09 20 39',
  '49': '24 32 37 47',
  '50': '19 22 25 26 31 42 43 44',
}

/** Provinces that the sea parts and a ferry of an hour or two joins. The Balearic Islands have none. */
const FERRY_NEIGHBOURS: Readonly<Record<string, string>> = { '35': '38', '38': '35', '51': '11', '52': '04 29' }

/** The provinces around one, by INE number. */
export function neighboursOf(province: string): readonly string[] {
  const numbers = [LAND_NEIGHBOURS, FERRY_NEIGHBOURS].flatMap((table) =>
    Object.hasOwn(table, province) ? (table[province] ?? '').split(' ') : [],
  )
  return numbers.toSorted()
}
