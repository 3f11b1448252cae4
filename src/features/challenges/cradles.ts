const GALICIA = ['15', '27', '32', '36']
const ANDALUSIA = ['04', '11', '14', '18', '21', '23', '29', '41']
const CATALONIA = ['08', '17', '25', '43']
const VALENCIA = ['03', '12', '46']
const BASQUE_COUNTRY = ['01', '20', '31', '48']
const LA_MANCHA = ['02', '13', '16', '19', '45']
const CASTILE = ['05', '09', '24', '34', '37', '40', '42', '47', '49']
const CANTABRIAN = ['33', '39', '48']
const CANARIES = ['35', '38']
const BALEARICS = ['07']

/** The provinces (INE) where each Spanish breed comes from, by slug. */
export const CRADLES: Readonly<Record<string, readonly string[]>> = {
  'alano-espanol': CANTABRIAN,
  'ca-de-bou': BALEARICS,
  'ca-me-mallorquin': BALEARICS,
  'can-de-palleiro': GALICIA,
  'can-guicho': GALICIA,
  'carea-castellano-manchego': LA_MANCHA,
  'carea-leones': ['24', '49'],
  'erbi-txakur': BASQUE_COUNTRY,
  'galgo-espanol': [...CASTILE, ...LA_MANCHA],
  maneto: ANDALUSIA,
  'mastin-del-pirineo': ['22', '31', '50'],
  'mastin-espanol': [...CASTILE, '06', '10'],
  'pachon-navarro': ['01', '31'],
  'pastor-catalan': CATALONIA,
  'pastor-garafiano': ['38'],
  'pastor-mallorquin': BALEARICS,
  'pastor-vasco': BASQUE_COUNTRY,
  'perdiguero-de-burgos': ['09', '34', '42'],
  'perdiguero-gallego': GALICIA,
  'perro-de-agua-cantabrico': CANTABRIAN,
  'perro-de-agua-espanol': ANDALUSIA,
  'perro-lobo-herreno': ['38'],
  'perro-majorero': ['35'],
  'podenco-andaluz': ANDALUSIA,
  'podenco-campanero': ANDALUSIA,
  'podenco-canario': CANARIES,
  'podenco-enano-del-hierro': ['38'],
  'podenco-gallego': GALICIA,
  'podenco-ibicenco': BALEARICS,
  'podenco-orito': [...LA_MANCHA, '03', '30'],
  'podenco-paternino': ['21'],
  'podenco-valenciano': VALENCIA,
  'presa-canario': CANARIES,
  'ratonero-bodeguero-andaluz': ANDALUSIA,
  'ratonero-mallorquin': BALEARICS,
  'ratonero-murciano': ['30'],
  'ratonero-palmero': ['38'],
  'ratonero-valenciano': VALENCIA,
  'sabueso-espanol': [...CANTABRIAN, '24', '27'],
  'villano-de-las-encartaciones': ['39', '48'],
  'villanuco-de-las-encartaciones': ['39', '48'],
}
