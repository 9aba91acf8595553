/** The build turns the imported style sheet into a file of its own. */
declare module '*.css';
