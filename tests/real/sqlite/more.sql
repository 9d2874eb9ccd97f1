SELECT 'read' AS from_file;
